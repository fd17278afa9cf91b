import type { Assets } from "./assets.js";
import type { StaticEmbedder } from "./embedder.js";
import type { Memory } from "./memory.js";
import { openOn, staticOf, type OpenOptions } from "./open.js";
import { IndexedDbStore } from "./stores/indexeddb.js";

export * from "./api.js";

const assets: Assets = {
  module: () => fetched(new URL("./ebbtrace.wasm", import.meta.url)),
  model: async () => new Uint8Array(await (await fetched(new URL("./model.bin", import.meta.url))).arrayBuffer()),
};

/** Opens a memory: in the database `ebbtrace` of this page's origin where nothing else is said. */
export function open(options: OpenOptions = {}): Promise<Memory> {
  return openOn({ assets, store: () => new IndexedDbStore() }, options);
}

/** The token table that comes with the package, fetched when a memory is opened. */
export function staticEmbedder(): StaticEmbedder {
  return staticOf(assets);
}

async function fetched(url: URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}`);
  return response;
}
