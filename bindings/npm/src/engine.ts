import init, { Engine } from "./wasm/ebbtrace_wasm.js";
import type { Assets } from "./assets.js";
import { fromEngine, storeError } from "./errors.js";
import type { JournalEntry, StoredRecord } from "./records.js";

let loading: Promise<unknown> | undefined;

/** Loads the module once for the whole program. */
function load(assets: Assets): Promise<unknown> {
  loading ??= assets
    .module()
    .then((module) => init({ module_or_path: module }))
    .catch((error: unknown) => {
      loading = undefined;
      throw storeError("store_open", `the engine's module can't be loaded: ${String(error)}`, error);
    });
  return loading;
}

/** The most time that opening takes of the page at once, in milliseconds. */
const SLICE = 8;
/** How many records are handed over at once. */
const BATCH = 50;

/** The engine over one store's records: it decides, and changes nothing but by entries that were committed. */
export class EngineHandle {
  #engine: Engine;

  private constructor(engine: Engine) {
    this.#engine = engine;
  }

  static async create(assets: Assets, config: unknown, model: Uint8Array | undefined): Promise<EngineHandle> {
    await load(assets);
    return new EngineHandle(guarded(() => new Engine(config, model)));
  }

  /** Fills a new engine with what `load` hands over, without holding up the page. */
  async fill(load: (take: (records: StoredRecord[]) => Promise<void>) => Promise<number>): Promise<void> {
    const next = guarded(() => this.#engine.anew());
    try {
      let since = performance.now();
      const revision = await load(async (records) => {
        for (let from = 0; from < records.length; from += BATCH) {
          guarded(() => next.take(records.slice(from, from + BATCH)));
          if (performance.now() - since < SLICE) continue;
          await breath();
          since = performance.now();
        }
      });
      guarded(() => next.finish(revision));
    } catch (error) {
      next.free();
      throw error;
    }
    const before = new EngineHandle(this.#engine);
    this.#engine = next;
    before.free();
  }

  get revision(): number {
    return guarded(() => this.#engine.revision());
  }

  stage<T>(operation: string, input: unknown, now: number): { outcome: T; entry: JournalEntry | null } {
    const [entropy] = crypto.getRandomValues(new BigUint64Array(1));
    return guarded(() => this.#engine.stage(operation, input, now, entropy ?? 0n));
  }

  read<T>(question: string, input: unknown, now: number): T {
    return guarded(() => this.#engine.read(question, input, now) as T);
  }

  apply(entry: JournalEntry): void {
    guarded(() => this.#engine.apply(entry));
  }

  pooled(text: string): Float32Array {
    return guarded(() => this.#engine.pooled(text));
  }

  free(): void {
    try {
      this.#engine.free();
    } catch {
      // A fault of its own may have left it in use.
    }
  }
}

function guarded<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw fromEngine(error);
  }
}

/** Lets the page do what it has to. A message comes sooner than a timer, which waits 4 milliseconds. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
