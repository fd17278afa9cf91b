import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm, type FileHandle } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { crc32 } from "node:zlib";
import { EbbtraceError, storeError } from "../errors.js";
import { Records, type JournalEntry, type StoredRecord } from "../records.js";
import { deletes, type CommitAnswer, type Store } from "../store.js";
import { fileAt, Lock, settle } from "./lock.js";

/** The newest form of the file that is known here. */
const VERSION = 1;
/** A log of more entries than this, and more than there are records, is written anew. */
const COMPACT = 1_000;

/**
 * Where a memory is kept where nobody says: the system's folder for a program's data.
 * `EBBTRACE_FILE` names another file.
 */
export function defaultPath(): string {
  const { EBBTRACE_FILE, XDG_DATA_HOME, LOCALAPPDATA } = process.env;
  if (EBBTRACE_FILE) return resolve(EBBTRACE_FILE);
  const home = homedir();
  const folder =
    process.platform === "win32"
      ? (LOCALAPPDATA ?? join(home, "AppData", "Local"))
      : process.platform === "darwin"
        ? join(home, "Library", "Application Support")
        : (XDG_DATA_HOME ?? join(home, ".local", "share"));
  return join(folder, "ebbtrace", "memory.log");
}

/**
 * Keeps a memory in one file: a first line, the records as they were when it was last written whole, and every commit
 * since, each a line with a checksum. A commit is appended and synced; a line that was cut off by a crash was never
 * acknowledged, and is cut away. Any number of processes may have it open: each commit takes the lock.
 */
export class FileStore implements Store {
  readonly path: string;
  readonly #lock: Lock;
  /** What the file says, as far as it was read. */
  #read: Reading | undefined;
  /** How many lines could not be read and were passed over. */
  unreadable = 0;
  #closed = false;

  constructor(path: string = defaultPath()) {
    this.path = resolve(path);
    this.#lock = new Lock(`${this.path}.lock`);
  }

  async load(take: (records: StoredRecord[]) => Promise<void> | void): Promise<number> {
    this.#read = undefined;
    const { records } = await this.#current("reading");
    await take([...records]);
    return records.revision;
  }

  async commit(entry: JournalEntry): Promise<CommitAnswer> {
    this.#open();
    const release = await this.#tried("writing", async () => {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      return this.#lock.take();
    });
    try {
      const reading = await this.#current("reading");
      if (reading.records.revision !== entry.revision - 1) return "conflict";
      await this.#tried("writing", () => this.#write(reading, entry));
      return "committed";
    } finally {
      await release();
    }
  }

  async changesSince(revision: number): Promise<JournalEntry[] | null> {
    const { records, entries } = await this.#current("reading");
    if (records.revision === revision) return [];
    const since = entries.filter((entry) => entry.revision > revision);
    const whole = since.length === records.revision - revision && !since.some(deletes);
    return whole ? structuredClone(since) : null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#read = undefined;
  }

  #open(): void {
    if (this.#closed) throw storeError("closed", "the store is closed");
  }

  /** What the file says now; only what is new in it is read. */
  async #current(doing: string): Promise<Reading> {
    this.#open();
    return this.#tried(doing, async () => {
      const known = this.#read;
      const found = await fileAt(this.path);
      if (!found) return known?.which === NONE ? known : (this.#read = nothing(NONE));
      if (known && known.which === found.which && known.end === found.size) return known;
      // What is read is of one file, also where another takes its place meanwhile.
      const handle = await open(this.path, "r");
      try {
        const { which, size } = (await fileAt(handle)) ?? found;
        const goes = known?.which === which && known.end <= size ? known : nothing(which);
        if (goes !== known) this.unreadable = 0;
        if (size > goes.end) await this.#take(goes, await bytesFrom(handle, goes.end));
        return (this.#read = goes);
      } finally {
        await handle.close();
      }
    });
  }

  async #take(reading: Reading, bytes: Buffer): Promise<void> {
    const start = reading.end;
    let from = 0;
    for (let to = bytes.indexOf(0x0a); to >= 0; to = bytes.indexOf(0x0a, from)) {
      const line = bytes.subarray(from, to);
      from = to + 1;
      if (reading.end === 0) head(this.path, line.toString());
      else this.#line(reading, line);
      reading.end = start + from;
    }
    // What follows the last line end was cut off in the middle, or is being written: it is looked at again.
    if (reading.end === 0) {
      throw storeError("store_damaged", `${this.path} is no memory of ebbtrace`);
    }
  }

  #line(reading: Reading, line: Buffer): void {
    const told = checked(line);
    if (told === undefined) {
      this.unreadable += 1;
    } else if ("record" in told) {
      reading.records.put(told);
    } else if ("changes" in told) {
      reading.records.apply(told);
      reading.entries.push(told);
    } else {
      reading.records.revision = told.revision;
    }
  }

  async #write(reading: Reading, entry: JournalEntry): Promise<void> {
    const many = reading.entries.length >= Math.max(COMPACT, reading.records.memories.size);
    // What is deleted must not stay in the log; a file that is not there, or empty, has no first line yet.
    if (deletes(entry) || many || reading.end === 0) return this.#rewrite(reading, entry);
    const handle = await open(this.path, "r+");
    try {
      // What a crash left behind the last whole line.
      await handle.truncate(reading.end);
      const line = Buffer.from(lineOf(entry));
      await write(handle, line, reading.end);
      await handle.datasync();
      reading.records.apply(structuredClone(entry));
      reading.entries.push(entry);
      reading.end += line.length;
    } catch (error) {
      // Half a line is none; whether the disk takes even this, the next commit does it again.
      await handle.truncate(reading.end).catch(() => undefined);
      throw error;
    } finally {
      await handle.close();
    }
  }

  /** Writes the file anew, with `entry` in it, beside the old one, and puts it in its place at once. */
  async #rewrite(reading: Reading, entry: JournalEntry): Promise<void> {
    const records = new Records();
    for (const record of reading.records) records.put(structuredClone(record));
    records.apply(structuredClone(entry));
    const lines = [`${JSON.stringify({ format: "ebbtrace-log", version: VERSION })}\n`];
    for (const record of records) lines.push(lineOf(record));
    // Those behind it load anew, since the log no longer tells what was done.
    lines.push(lineOf({ revision: entry.revision }));
    const beside = `${this.path}.${process.pid}.${randomBytes(4).toString("hex")}.new`;
    try {
      const handle = await open(beside, "wx", 0o600);
      try {
        await write(handle, Buffer.from(lines.join("")), 0);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(beside, this.path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
    await settle(dirname(this.path));
    this.#read = undefined;
  }

  async #tried<T>(doing: string, attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof EbbtraceError) throw error;
      const { code = "", message = String(error) } = error as NodeJS.ErrnoException;
      if (code === "ENOSPC" || code === "EDQUOT") throw storeError("store_full", `the disk is full (${message})`, error);
      const kind = doing === "reading" && ["EACCES", "EPERM", "EISDIR", "ENOTDIR"].includes(code) ? "store_open" : "store_io";
      throw storeError(kind, `${doing} the store at ${this.path} failed: ${message}`, error);
    }
  }
}

/** What was read of a file. */
interface Reading {
  records: Records;
  /** The commits in it, in order. */
  entries: JournalEntry[];
  /** Which file it was. */
  which: string;
  /** Where its last whole line ends. */
  end: number;
}

/** Where there is no file. */
const NONE = "";

function nothing(which: string): Reading {
  return { records: new Records(), entries: [], which, end: 0 };
}

function head(path: string, line: string): void {
  let told: { format?: unknown; version?: unknown } = {};
  try {
    told = JSON.parse(line) as typeof told;
  } catch {
    // Said below.
  }
  if (told?.format !== "ebbtrace-log" || typeof told.version !== "number") {
    throw storeError("store_damaged", `${path} is no memory of ebbtrace`);
  }
  if (told.version > VERSION) {
    throw storeError("store_newer", `${path} has version ${told.version}; this ebbtrace reads up to ${VERSION}`);
  }
}

type Told = StoredRecord | JournalEntry | { revision: number };

function lineOf(told: Told): string {
  const text = JSON.stringify(told);
  return `${sum(text)} ${text}\n`;
}

/** What a checksum and the space behind it take of a line. */
const SUM = 9;
const SPACE = 0x20;

function sum(text: string | Buffer): string {
  return crc32(text).toString(16).padStart(8, "0");
}

/** What a line says; `undefined` where it is damaged. */
function checked(line: Buffer): Told | undefined {
  const text = line.subarray(SUM);
  if (line[SUM - 1] !== SPACE || line.toString("latin1", 0, SUM - 1) !== sum(text)) return undefined;
  try {
    return JSON.parse(text.toString()) as Told;
  } catch {
    return undefined;
  }
}

async function bytesFrom(handle: FileHandle, start: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of handle.createReadStream({ start, autoClose: false })) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Writes all of it: the system may take a part at a time. */
async function write(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
