import { link, open, readFile, rename, rm, stat, writeFile, type FileHandle } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { randomBytes } from "node:crypto";
import { storeError } from "../errors.js";

/** How long another writer is waited for, in milliseconds. */
const PATIENCE = 10_000;

/** Who holds a lock: enough to tell whether that process still lives. */
interface Holder {
  pid: number;
  host: string;
  /** When the process started, so that another one with its number is not taken for it. Only where the system tells. */
  started: string | null;
}

/**
 * A lock file. It is made whole by linking a finished file to its name, so that no reader ever sees half a one; a lock
 * whose process is gone is taken over: liveness decides, not age.
 */
export class Lock {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Takes the lock, waiting for whoever has it; answers with how to let go. */
  async take(): Promise<() => Promise<void>> {
    const mine = `${this.#path}.${process.pid}.${randomBytes(4).toString("hex")}`;
    const me: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
    await writeFile(mine, JSON.stringify(me), { mode: 0o600 });
    try {
      for (const since = Date.now(); ; ) {
        try {
          await link(mine, this.#path);
          return () => rm(this.#path, { force: true });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        }
        const holder = await this.#holder();
        if (holder && !lives(holder)) {
          await this.#takeAway(holder);
          continue;
        }
        const waited = Date.now() - since;
        if (waited > PATIENCE) {
          const who = holder ? `process ${holder.pid} on ${holder.host}` : "another process";
          throw storeError("store_busy", `${who} has held ${this.#path} for ${waited} ms`);
        }
        await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4));
      }
    } finally {
      await rm(mine, { force: true });
    }
  }

  async #holder(): Promise<Holder | null> {
    try {
      return JSON.parse(await readFile(this.#path, "utf8")) as Holder;
    } catch (error) {
      // Let go of meanwhile.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      if (error instanceof SyntaxError) return { pid: 0, host: hostname(), started: null };
      throw error;
    }
  }

  /** Takes a dead process's lock away; of several who try, only one moves that very file. */
  async #takeAway(dead: Holder): Promise<void> {
    const aside = `${this.#path}.dead.${process.pid}.${randomBytes(4).toString("hex")}`;
    try {
      await rename(this.#path, aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    const moved = await readFile(aside, "utf8").catch(() => "");
    if (moved !== "" && moved !== JSON.stringify(dead)) {
      // Somebody alive had taken it in between: it is given back, unless a third has taken it since.
      await link(aside, this.#path).catch(() => undefined);
    }
    await rm(aside, { force: true });
  }
}

function lives({ pid, host, started }: Holder): boolean {
  // Of another machine's processes nothing is known.
  if (host !== hostname()) return true;
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return started === null || startOf(pid) === started;
}

/** When a process started, in the system's ticks; `null` where the system does not tell. */
function startOf(pid: number): string | null {
  try {
    const told = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name, in parentheses, may hold anything.
    return told.slice(told.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

/** Makes the names in a folder last. */
export async function settle(folder: string): Promise<void> {
  // Some systems can't open a folder; they need no telling.
  const handle = await open(folder, "r").catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // As above.
  } finally {
    await handle?.close();
  }
}

/** A file as it is now. */
export interface Found {
  /** Which file it is: another one after it was replaced, also where the system gives its number away again. */
  which: string;
  size: number;
}

/** What a path, or an open file, leads to now; `null` for nothing. */
export async function fileAt(at: string | FileHandle): Promise<Found | null> {
  try {
    const { ino, birthtimeNs, size } = await (typeof at === "string" ? stat(at, { bigint: true }) : at.stat({ bigint: true }));
    return { which: `${ino} ${birthtimeNs}`, size: Number(size) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
