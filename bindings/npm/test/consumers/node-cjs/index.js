"use strict";
const { defaultPath, EbbtraceError, FileStore, MemoryStore, open } = require("ebbtrace");
const slim = require("ebbtrace/slim");
const { readFileSync } = require("node:fs");

(async () => {
  const { use } = await import("../use.js");
  const result = await use(open);
  result.store = new FileStore().path === defaultPath();
  result.error = new EbbtraceError("a", "b", "c").code;
  const [wasm, model] = ["ebbtrace/ebbtrace.wasm", "ebbtrace/model.bin"].map((name) => readFileSync(require.resolve(name)));
  const memory = await slim.open({ wasm, model, store: new MemoryStore() });
  await memory.remember("The small entry has the whole engine", { id: "slim" });
  result.slim = (await memory.recall("which entry has an engine?")).hits[0]?.memory.id;
  console.log(JSON.stringify(result));
})();
