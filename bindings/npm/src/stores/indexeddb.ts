import { EbbtraceError, storeError } from "../errors.js";
import {
  touch,
  type Change,
  type Edge,
  type EdgeKey,
  type JournalEntry,
  type Memory,
  type StoredRecord,
} from "../records.js";
import { deletes, speaksOf, type CommitAnswer, type Store } from "../store.js";

/** The newest layout that is known here. Steps are only ever added: databases of every age keep opening. */
const VERSION = 1;
/** How long an upgrade waits for other tabs to let go of the database, in milliseconds. */
const PATIENCE = 4_000;
/** How many records are read in one request, so that no request holds up the page. */
const PAGE = 500;
/** For how many of the newest entries the changes are kept: what other tabs catch up from. */
const KEPT = 1_000;

type Kept = Omit<JournalEntry, "changes"> & { changes: Change[] | null };

const ALL = ["memory", "edge", "proposal", "scope", "journal", "meta"];
const KINDS = ["scope", "memory", "edge", "proposal"] as const;

/** How an {@link IndexedDbStore} is opened. */
export interface IndexedDbOptions {
  /** The database's name; default `ebbtrace`. */
  name?: string;
  /** Another implementation than the global one, as in Node or Deno. */
  indexedDB?: IDBFactory;
  /** The key ranges of that implementation; default the global ones. */
  IDBKeyRange?: typeof IDBKeyRange;
  /** Whether the browser is asked to keep the database when disk space is short; default true. */
  persist?: boolean;
}

/** Keeps a memory in the browser. Any number of tabs may have it open; each sees what the others write. */
export class IndexedDbStore implements Store {
  readonly name: string;
  readonly #factory: IDBFactory | undefined;
  readonly #ranges: typeof IDBKeyRange | undefined;
  readonly #persist: boolean;
  #database: Promise<IDBDatabase> | undefined;
  #channel: BroadcastChannel | undefined;
  /** Whether another tab asked for the database to upgrade it: this one has let go of it for good. */
  #outdated = false;
  #closed = false;

  constructor(options: IndexedDbOptions = {}) {
    this.name = options.name ?? "ebbtrace";
    this.#factory = options.indexedDB;
    this.#ranges = options.IDBKeyRange;
    this.#persist = options.persist ?? true;
  }

  async load(take: (records: StoredRecord[]) => Promise<void> | void): Promise<number> {
    const [pages, revision] = await this.#reading(ALL, async (reading) => {
      // All of one instant, so in one transaction: nothing else is awaited before it ends.
      const pages: StoredRecord[][] = [];
      for (const kind of KINDS) {
        const store = reading.objectStore(kind);
        for (let range: IDBKeyRange | null = null; ; ) {
          const [values, keys] = await Promise.all([asked(store.getAll(range, PAGE)), asked(store.getAllKeys(range, PAGE))]);
          for (const value of values) value.record = kind;
          pages.push(values);
          if (values.length < PAGE) break;
          range = this.#after(keys[keys.length - 1]);
        }
      }
      return [pages, await revisionIn(reading)] as const;
    });
    for (const page of pages) await take(page);
    return revision;
  }

  async commit(entry: JournalEntry): Promise<CommitAnswer> {
    const database = await this.#open();
    let writing: IDBTransaction | undefined;
    let end: Promise<void> | undefined;
    try {
      writing = database.transaction(ALL, "readwrite", { durability: "strict" });
      end = ended(writing);
      // An abort is told by what is awaited below; nobody else need catch it.
      end.catch(() => undefined);
      if ((await revisionIn(writing)) !== entry.revision - 1) {
        await end;
        return "conflict";
      }
      for (const change of entry.changes) await write(writing, change);
      await drop(writing, entry);
      const kept: Kept = deletes(entry) ? { ...entry, changes: null } : entry;
      await asked(writing.objectStore("journal").put(kept));
      await trim(writing, entry.revision - KEPT);
      await asked(writing.objectStore("meta").put(entry.revision, "revision"));
      await end;
    } catch (error) {
      abort(writing);
      // What was acknowledged stays; of this entry nothing does.
      await end?.catch(() => undefined);
      throw failure("writing", writing?.error ?? error);
    }
    this.#channel?.postMessage(entry.revision);
    return "committed";
  }

  async changesSince(revision: number): Promise<JournalEntry[] | null> {
    return this.#reading(["journal", "meta"], async (reading) => {
      const current = await revisionIn(reading);
      if (current === revision) return [];
      const entries: Kept[] = await asked(reading.objectStore("journal").getAll(this.#after(revision)));
      const whole = current > revision && entries.length === current - revision;
      return whole && entries.every((entry) => entry.changes !== null) ? (entries as JournalEntry[]) : null;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#channel?.close();
    this.#channel = undefined;
    const database = this.#database;
    this.#database = undefined;
    (await database?.catch(() => undefined))?.close();
  }

  watch(changed: () => void): () => void {
    if (typeof BroadcastChannel === "undefined") return () => {};
    this.#channel ??= new BroadcastChannel(`ebbtrace:${this.name}`);
    // In Node an open channel would keep the program alive.
    (this.#channel as { unref?: () => void }).unref?.();
    this.#channel.addEventListener("message", changed);
    return () => this.#channel?.removeEventListener("message", changed);
  }

  async #reading<T>(stores: string[], ask: (reading: IDBTransaction) => Promise<T>): Promise<T> {
    const database = await this.#open();
    try {
      const reading = database.transaction(stores, "readonly");
      const end = ended(reading);
      end.catch(() => undefined);
      const answer = await ask(reading);
      await end;
      return answer;
    } catch (error) {
      throw failure("reading", error);
    }
  }

  #after(key: IDBValidKey | undefined): IDBKeyRange {
    return (this.#ranges ?? IDBKeyRange).lowerBound(key, true);
  }

  #open(): Promise<IDBDatabase> {
    if (this.#closed) return Promise.reject(storeError("closed", "the store is closed"));
    if (this.#outdated) {
      const what = `another tab has upgraded the database ${JSON.stringify(this.name)}, which this one still had open`;
      return Promise.reject(new EbbtraceError("store_newer", what, "Reload this tab."));
    }
    this.#database ??= this.#connect().catch((error: unknown) => {
      this.#database = undefined;
      throw failure("opening", error);
    });
    return this.#database;
  }

  #connect(): Promise<IDBDatabase> {
    const native = globalThis.indexedDB as IDBFactory | undefined;
    const factory = this.#factory ?? native;
    if (!factory) return Promise.reject(storeError("store_open", "there is no IndexedDB here"));
    return new Promise((resolve, reject) => {
      const request = factory.open(this.name, VERSION);
      let waited: ReturnType<typeof setTimeout> | undefined;
      request.onupgradeneeded = ({ oldVersion }) => {
        if (oldVersion < 1) layOut(request.result);
      };
      request.onblocked = () => {
        waited = setTimeout(() => {
          const what = `the database ${JSON.stringify(this.name)} is held by another tab with an older version of it`;
          reject(storeError("store_blocked", what));
          // Should it open after all, nobody waits for it any more.
          request.onsuccess = () => request.result.close();
        }, PATIENCE);
      };
      request.onerror = () => {
        clearTimeout(waited);
        reject(request.error);
      };
      request.onsuccess = () => {
        clearTimeout(waited);
        const database = request.result;
        // This tab keeps another from an upgrade: it lets go, and says so at its next call.
        database.onversionchange = (event) => {
          // Where it is deleted, the next call opens it anew, as after its files were cleared.
          this.#outdated = event.newVersion !== null;
          this.#database = undefined;
          database.close();
        };
        // The browser ended the connection, as when its files were cleared: the next call opens anew.
        database.onclose = () => {
          this.#database = undefined;
        };
        if (this.#persist && factory === native) {
          // Whether it is granted is the browser's to say; nothing depends on it.
          void globalThis.navigator?.storage?.persist?.().catch(() => false);
        }
        resolve(database);
      };
    });
  }
}

/** A request's answer. */
function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** The end of a transaction: all of it is stored, or none. */
function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new DOMException("the transaction was aborted", "AbortError"));
  });
}

function abort(transaction: IDBTransaction | undefined): void {
  try {
    transaction?.abort();
  } catch {
    // It has ended already.
  }
}

async function revisionIn(transaction: IDBTransaction): Promise<number> {
  return (await asked(transaction.objectStore("meta").get("revision"))) ?? 0;
}

function layOut(database: IDBDatabase): void {
  database.createObjectStore("memory", { keyPath: ["scope", "id"] });
  const edge = database.createObjectStore("edge", { keyPath: ["scope", "from", "to", "relation"] });
  edge.createIndex("from", ["scope", "from"]);
  edge.createIndex("to", ["scope", "to"]);
  database.createObjectStore("proposal", { keyPath: ["scope", "id"] });
  database.createObjectStore("scope", { keyPath: "scope" });
  database.createObjectStore("journal", { keyPath: "revision" });
  database.createObjectStore("meta");
}

async function write(writing: IDBTransaction, change: Change): Promise<void> {
  const store = (kind: string) => writing.objectStore(kind);
  switch (change.change) {
    case "put": {
      const { change: _, record, ...value } = change;
      await asked(store(record).put(value));
      break;
    }
    case "touch": {
      const memory: Memory | undefined = await asked(store("memory").get([change.scope, change.id]));
      if (!memory) break;
      touch(memory, change);
      await asked(store("memory").put(memory));
      break;
    }
    case "touch_edge": {
      const edge: Edge | undefined = await asked(store("edge").get(edgeKey(change)));
      if (edge) await asked(store("edge").put({ ...edge, reinforced_at: change.reinforced_at }));
      break;
    }
    case "delete_memory":
      await forget(writing, change.scope, change.id);
      break;
    case "delete_edge":
      await asked(store("edge").delete(edgeKey(change)));
      break;
    case "delete_proposal":
      await asked(store("proposal").delete([change.scope, change.id]));
      break;
  }
}

/** Removes a memory, what hangs on it, and every word of it in the journal. */
async function forget(writing: IDBTransaction, scope: string, id: string): Promise<void> {
  const memories = writing.objectStore("memory");
  const text = ((await asked(memories.get([scope, id]))) as Memory | undefined)?.content;
  await asked(memories.delete([scope, id]));
  await asked(writing.objectStore("proposal").delete([scope, id]));
  const edges = writing.objectStore("edge");
  for (const end of ["from", "to"]) {
    for (const key of await asked(edges.index(end).getAllKeys([scope, id]))) await asked(edges.delete(key));
  }
  await scrub(writing.objectStore("journal"), (change) => speaksOf(change, scope, id, text));
}

/** Takes the changes out of every entry that speaks of what is gone. */
function scrub(journal: IDBObjectStore, speaks: (change: Change) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const looking = journal.openCursor();
    looking.onerror = () => reject(looking.error);
    looking.onsuccess = () => {
      const cursor = looking.result;
      if (!cursor) return resolve();
      const entry: Kept = cursor.value;
      if (entry.changes?.some(speaks)) cursor.update({ ...entry, changes: null });
      cursor.continue();
    };
  });
}

/** An edge or a proposal may come before its memory within one entry; not after it. */
async function drop(writing: IDBTransaction, entry: JournalEntry): Promise<void> {
  const memories = writing.objectStore("memory");
  const has = async (scope: string, id: string) => (await asked(memories.getKey([scope, id]))) !== undefined;
  for (const change of entry.changes) {
    if (change.change !== "put") continue;
    if (change.record === "edge") {
      const both = (await has(change.scope, change.from)) && (await has(change.scope, change.to));
      if (!both) await asked(writing.objectStore("edge").delete(edgeKey(change)));
    } else if (change.record === "proposal" && !(await has(change.scope, change.id))) {
      await asked(writing.objectStore("proposal").delete([change.scope, change.id]));
    }
  }
}

/** Takes the changes out of the entry of that revision: it stays as a line of the audit trail. */
async function trim(writing: IDBTransaction, revision: number): Promise<void> {
  const journal = writing.objectStore("journal");
  const old: Kept | undefined = revision > 0 ? await asked(journal.get(revision)) : undefined;
  if (old?.changes) await asked(journal.put({ ...old, changes: null }));
}

function edgeKey(key: EdgeKey): string[] {
  return [key.scope, key.from, key.to, key.relation];
}

/** What the browser threw, as an error that says what it means here. */
function failure(doing: string, thrown: unknown): EbbtraceError {
  if (thrown instanceof EbbtraceError) return thrown;
  const { name = "", message = String(thrown) } = (thrown ?? {}) as { name?: string; message?: string };
  const what = `${doing} the store failed: ${name}: ${message}`;
  switch (name) {
    case "QuotaExceededError":
      return storeError("store_full", `the storage that this page is allowed is full (${doing})`, thrown);
    case "VersionError":
      return storeError("store_newer", `the database is of a newer version than ${VERSION}`, thrown);
    case "SecurityError":
    case "UnknownError":
      return storeError("store_open", `storage is blocked or broken here: ${message}`, thrown);
    default:
      return storeError(doing === "opening" ? "store_open" : "store_io", what, thrown);
  }
}
