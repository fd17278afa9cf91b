import type { Assets } from "./assets.js";
import { isStatic, type EmbedderOption, type StaticEmbedder } from "./embedder.js";
import { EbbtraceError, storeError } from "./errors.js";
import { Memory } from "./memory.js";
import type { Store } from "./store.js";
import { Turns } from "./turns.js";

/** What a memory is opened with. All of it may be left out. */
export interface OpenOptions {
  /** Where it is kept. Default: IndexedDB in a browser, a file in Node. */
  store?: Store;
  /** What makes vectors. Default: the token table that comes with the package; `null`: words and links alone. */
  embedder?: EmbedderOption;
  /** Where calls work that name no scope. Default `default`. */
  scope?: string;
  /** The time, in milliseconds since 1970. Default `Date.now`. */
  clock?: () => number;
  /** What differs from the engine's default constants, by section: `{ fading: { half_life_days: 10 } }`. */
  config?: { [section: string]: { [name: string]: unknown } };
}

/** What a kind of host brings: its assets, and where it keeps a memory if nobody says. */
export interface Host {
  assets: Assets;
  store(): Store;
}

/** Opens a memory on a host. */
export async function openOn(host: Host, options: OpenOptions): Promise<Memory> {
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) {
    const message = `open has no option ${JSON.stringify(unknown)}; allowed are ${[...KNOWN].join(", ")}`;
    throw new EbbtraceError("bad_argument", message, "Leave it out, or mend its name.", unknown);
  }
  const { embedder = staticOf(host.assets), scope, clock = Date.now, config } = options;
  const store = options.store ?? host.store();
  const model = await table(embedder, host.assets);
  const engine = await Turns.load(host.assets, store, config, model);
  return new Memory({ store, embedder, scope, clock, engine });
}

const KNOWN = new Set(["store", "embedder", "scope", "clock", "config", "wasm", "model"]);

export function staticOf(assets: Assets): StaticEmbedder {
  return { kind: "static", bytes: () => assets.model() };
}

/** The token table, which serves late interaction too, whatever else embeds. */
async function table(embedder: EmbedderOption, assets: Assets): Promise<Uint8Array | undefined> {
  if (embedder === null) return undefined;
  const from = isStatic(embedder) ? embedder : staticOf(assets);
  try {
    return await from.bytes();
  } catch (error) {
    throw storeError("store_open", `the token table can't be loaded: ${String((error as Error).message)}; with embedder: null none is needed`, error);
  }
}
