import type { Assets } from "./assets.js";
import type { EmbedderOption } from "./embedder.js";
import { EngineHandle } from "./engine.js";
import { EbbtraceError, storeError, unknownOutcome } from "./errors.js";
import type { JournalEntry } from "./records.js";
import type { Store } from "./store.js";
import type { Changed } from "./types.js";

/** How long a write keeps trying while others are faster, in milliseconds. */
const PATIENCE = 30_000;

const CLOCK = "Nothing was changed. Open the memory with a clock as Date.now, and call again.";

/** The steps of a turn. */
export interface Turn {
  /** Answers a question. */
  read<T>(question: string, input: unknown): Promise<T>;
  /** What an operation would answer; nothing is written. */
  staged<T>(operation: string, input: unknown): Promise<T>;
  /** Carries out an operation. */
  write<T>(operation: string, input: unknown): Promise<T>;
}

/** What a memory is made of. */
export interface Opened {
  store: Store;
  embedder: EmbedderOption;
  scope: string | undefined;
  clock: () => number;
  engine: EngineHandle;
}

/** The host loop: catch up, stage, commit, apply, and again where another writer was faster. One call at a time. */
export class Turns {
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #engine: EngineHandle;
  readonly #listeners = new Set<(changed: Changed) => void>();
  readonly #unwatch: (() => void) | undefined;
  readonly #steps: Turn = {
    read: (question, input) => this.#read(question, input),
    staged: (operation, input) => this.#staged(operation, input),
    write: (operation, input) => this.#write(operation, input),
  };
  #last: Promise<unknown> = Promise.resolve();
  /** Whether the engine may be behind the store, so that only loading it anew helps. */
  #inDoubt = false;
  #closed = false;

  constructor({ store, clock, engine }: Opened) {
    this.#store = store;
    this.#clock = clock;
    this.#engine = engine;
    this.#unwatch = store.watch?.(() => {
      if (this.#listeners.size) void this.#turn(() => this.#catchUp()).catch(() => undefined);
    });
  }

  /** Loads the store into a new engine. */
  static async load(assets: Assets, store: Store, config: unknown, model: Uint8Array | undefined): Promise<EngineHandle> {
    const engine = await EngineHandle.create(assets, config, model);
    await engine.fill((take) => stored("loading", () => store.load(take)));
    return engine;
  }

  /** A turn of one question. */
  read<T>(question: string, input: unknown): Promise<T> {
    return this.turn((turn) => turn.read<T>(question, input));
  }

  /** A turn of one operation. */
  write<T>(operation: string, input: unknown): Promise<T> {
    return this.turn((turn) => turn.write<T>(operation, input));
  }

  /** Carries out a call when all earlier ones are done, whatever it has to wait for meanwhile. */
  turn<T>(call: (turn: Turn) => Promise<T>): Promise<T> {
    return this.#turn(() => call(this.#steps));
  }

  /** An answer that no record changes, at once: to prepare a call whose turn is still to come. */
  async early<T>(question: string, input: unknown): Promise<T> {
    if (this.#closed) throw closed();
    return this.#asked(() => this.#engine.read<T>(question, input, this.#now()));
  }

  async #read<T>(question: string, input: unknown): Promise<T> {
    await this.#catchUp();
    return this.#asked(() => this.#engine.read<T>(question, input, this.#now()));
  }

  async #staged<T>(operation: string, input: unknown): Promise<T> {
    if (this.#inDoubt) await this.#reload();
    return this.#asked(() => this.#engine.stage<T>(operation, input, this.#now()).outcome);
  }

  async #write<T>(operation: string, input: unknown): Promise<T> {
    for (const started = Date.now(); ; ) {
      await this.#catchUp();
      const { outcome, entry } = this.#asked(() => this.#engine.stage<T>(operation, input, this.#now()));
      if (!entry) return outcome;
      const answer: unknown = await stored("committing", () => this.#store.commit(entry));
      switch (answer) {
        case "committed":
          this.#apply(entry, false);
          return outcome;
        case "unknown":
          this.#inDoubt = true;
          throw unknownOutcome();
        case "conflict":
          break;
        default:
          // A store of the caller's own: nobody knows what it did.
          this.#inDoubt = true;
          throw storeError("store_io", `the store answered a commit with ${String(answer)}; allowed are committed, conflict, unknown`);
      }
      const waited = Date.now() - started;
      if (waited > PATIENCE) throw storeError("store_busy", `the store was busy for ${waited} ms`);
      // Writers in step fall out of it.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
    }
  }

  /** The clock's time; what is no time must not be stored as one. */
  #now(): number {
    let now: unknown;
    try {
      now = this.#clock();
    } catch (error) {
      throw new EbbtraceError("clock_failed", `the clock failed: ${String(error)}`, CLOCK, "clock", error);
    }
    if (typeof now === "number" && Number.isFinite(now)) return Math.floor(now);
    throw new EbbtraceError("clock_failed", `the clock gave ${String(now)}; allowed are milliseconds since 1970`, CLOCK, "clock");
  }

  subscribe(listener: (changed: Changed) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    return this.#turn(async () => {
      this.#closed = true;
      this.#unwatch?.();
      this.#listeners.clear();
      this.#engine.free();
      await stored("closing", () => this.#store.close());
    }, true);
  }

  #turn<T>(call: () => Promise<T>, closing = false): Promise<T> {
    const turn = this.#last.then(() => {
      if (!this.#closed) return call();
      if (closing) return undefined as T;
      throw closed();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #catchUp(): Promise<void> {
    if (this.#inDoubt) return this.#reload();
    const entries = await stored("catching up", () => this.#store.changesSince(this.#engine.revision));
    if (!entries) return this.#reload();
    for (const entry of entries) this.#apply(entry, true);
  }

  /** Loads everything anew; the engine is as it was where that fails. */
  async #reload(): Promise<void> {
    await this.#engine.fill((take) => stored("loading", () => this.#store.load(take)));
    this.#inDoubt = false;
    this.#tell({ revision: this.#engine.revision, operation: "many", elsewhere: true });
  }

  #apply(entry: JournalEntry, elsewhere: boolean): void {
    try {
      this.#engine.apply(entry);
    } catch (error) {
      this.#inDoubt = true;
      throw error;
    }
    this.#tell({ revision: entry.revision, operation: entry.operation, elsewhere });
  }

  /** After a fault of the engine's own nothing in it is to be trusted. */
  #asked<T>(ask: () => T): T {
    try {
      return ask();
    } catch (error) {
      if (error instanceof EbbtraceError && error.code === "internal") this.#inDoubt = true;
      throw error;
    }
  }

  #tell(changed: Changed): void {
    for (const listener of this.#listeners) {
      try {
        const done: unknown = listener(changed);
        if (done instanceof Promise) done.catch((error: unknown) => console.error(error));
      } catch (error) {
        // A listener's fault is its own; the change is committed.
        console.error(error);
      }
    }
  }
}

/** What a store of the caller's own throws may have no code yet. One of another entry's class has. */
async function stored<T>(doing: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (typeof error === "object" && error !== null && "code" in error && "nextStep" in error) throw error;
    throw storeError("store_io", `the store failed while ${doing}: ${String(error)}`, error);
  }
}

function closed(): EbbtraceError {
  return storeError("closed", "the memory is closed");
}
