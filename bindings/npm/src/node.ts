import { readFile } from "node:fs/promises";
import type { Assets } from "./assets.js";
import type { StaticEmbedder } from "./embedder.js";
import type { Memory } from "./memory.js";
import { openOn, staticOf, type OpenOptions } from "./open.js";
import { defaultPath, FileStore } from "./stores/file.js";

export * from "./api.js";
export { defaultPath, FileStore };

const assets: Assets = {
  module: () => readFile(new URL("./ebbtrace.wasm", import.meta.url)),
  model: () => readFile(new URL("./model.bin", import.meta.url)),
};

/** Opens a memory: in the file {@link defaultPath} where nothing else is said. */
export function open(options: OpenOptions = {}): Promise<Memory> {
  return openOn({ assets, store: () => new FileStore() }, options);
}

/** The token table that comes with the package, read when a memory is opened. */
export function staticEmbedder(): StaticEmbedder {
  return staticOf(assets);
}
