import type { Assets } from "./assets.js";
import type { StaticEmbedder } from "./embedder.js";
import type { Memory } from "./memory.js";
import { openOn, staticOf, type OpenOptions } from "./open.js";
import { IndexedDbStore } from "./stores/indexeddb.js";

export * from "./api.js";

/** Where the assets come from: this entry finds none by itself. */
export interface SlimOptions extends OpenOptions {
  /** The module: its address, bytes, a response or a compiled module. */
  wasm: string | URL | BufferSource | WebAssembly.Module | Response;
  /** The token table: its address or bytes. Left out: words and links alone. */
  model?: string | URL | Uint8Array;
}

/** Opens a memory with a module and a table that the caller brings: for hosts with their own way of loading files. */
export function open(options: SlimOptions): Promise<Memory> {
  const { wasm, model } = options;
  const assets: Assets = {
    module: async () => (typeof wasm === "string" || wasm instanceof URL ? fetch(wasm) : wasm),
    model: async () => (model instanceof Uint8Array ? model : new Uint8Array(await (await fetch(model as string | URL)).arrayBuffer())),
  };
  const none = model === undefined ? { embedder: null } : {};
  return openOn({ assets, store: () => new IndexedDbStore() }, { ...none, ...options });
}

/** A token table of the caller's own bringing. */
export function staticEmbedder(bytes: () => Promise<Uint8Array>): StaticEmbedder {
  return staticOf({ module: () => Promise.reject(new Error("no module")), model: bytes });
}
