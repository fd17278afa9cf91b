import { defaultPath, EbbtraceError, FileStore, MemoryStore, open } from "ebbtrace";
import { open as slim } from "ebbtrace/slim";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { use } from "../use.js";

const result = await use(open);
result.store = new FileStore().path === defaultPath();
result.error = new EbbtraceError("a", "b", "c").code;

// The small entry, with the files that the package exports.
const at = createRequire(import.meta.url).resolve;
const [wasm, model] = await Promise.all(["ebbtrace/ebbtrace.wasm", "ebbtrace/model.bin"].map((name) => readFile(at(name))));
const memory = await slim({ wasm, model, store: new MemoryStore() });
await memory.remember("The small entry has the whole engine", { id: "slim" });
result.slim = (await memory.recall("which entry has an engine?")).hits[0]?.memory.id;
console.log(JSON.stringify(result));
