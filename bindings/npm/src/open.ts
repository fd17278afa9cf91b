import type { Assets } from "./assets.js";
import { isStatic, type EmbedderOption, type StaticEmbedder } from "./embedder.js";
import { storeError } from "./errors.js";
import { object, text, unknown, wrong } from "./input.js";
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
  object("options", options);
  const more = Object.keys(options).find((name) => !KNOWN.includes(name));
  if (more !== undefined) throw unknown("open has no option", more, KNOWN);
  const { embedder = staticOf(host.assets), scope, clock = Date.now, config } = options;
  if (scope !== undefined) text("scope", scope);
  if (typeof clock !== "function") throw wrong("clock", "a function", clock);
  if (config !== undefined) object("config", config);
  if (options.store !== undefined) checkStore(options.store);
  checkEmbedder(embedder);
  const store = options.store ?? host.store();
  const model = await table(embedder, host.assets);
  const engine = await Turns.load(host.assets, store, config, model);
  return new Memory({ store, embedder, scope, clock, engine });
}

const KNOWN = ["store", "embedder", "scope", "clock", "config", "wasm", "model"];

function checkStore(store: Store): void {
  object("store", store);
  const lacks = ["load", "commit", "changesSince", "close"].find((name) => typeof store[name as keyof Store] !== "function");
  if (lacks) throw wrong(`store.${lacks}`, "a method: load, commit, changesSince, close", store[lacks as keyof Store]);
}

function checkEmbedder(embedder: EmbedderOption): void {
  if (embedder === null || typeof embedder === "function") return;
  object("embedder", embedder);
  if (isStatic(embedder)) return;
  text("embedder.name", embedder.name);
  if (typeof embedder.embed !== "function") throw wrong("embedder.embed", "a function of texts", embedder.embed);
}

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
