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
  let response = await fetch(url);
  // A development server that bundles packages ahead (Vite up to 7) leaves their files where they were, and answers
  // what it has not with its page.
  if (isNone(response) && url.pathname.includes(AHEAD)) response = await fetch(url.href.replace(AHEAD, "/node_modules/ebbtrace/dist/"));
  if (!isNone(response)) return response;
  const what = response.ok ? "a page" : response.status;
  throw new Error(`${url.href} answered ${what}; where a bundler moves the package's files, leave ebbtrace out of its bundling ahead (Vite: optimizeDeps.exclude), or open from ebbtrace/slim with their addresses`);
}

const AHEAD = "/node_modules/.vite/deps/";

function isNone(response: Response): boolean {
  return !response.ok || !!response.headers.get("content-type")?.includes("text/html");
}
