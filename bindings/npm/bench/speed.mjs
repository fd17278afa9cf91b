// Opens a store and asks it, and prints how long each call took, in milliseconds: `measure --only wasm` runs it and sets
// the native program's times beside. speed.mjs EXPORT QUESTIONS FOLDER NOW OPENINGS
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FileStore, open } from "../dist/node.js";

const [exported, asked, folder, now, openings] = process.argv.slice(2);
const questions = JSON.parse(readFileSync(asked, "utf8"));
mkdirSync(folder, { recursive: true });
const path = join(folder, "memory.log");
let clock = Number(now);
const opened = () => open({ store: new FileStore(path), clock: () => clock });

const filled = await opened();
await filled.import(readFileSync(exported, "utf8"));
await filled.close();

/** Calls, and keeps how long it took. */
async function timed(times, call) {
  const started = performance.now();
  const answer = await call();
  times.push(performance.now() - started);
  return answer;
}

const told = { open: [], peek: [], recall: [] };
for (let time = 0; time < Number(openings); time += 1) {
  const memory = await timed(told.open, opened);
  await memory.close();
}
const memory = await opened();
for (const peek of [true, false]) {
  for (const query of questions) {
    clock += 1_000;
    await timed(peek ? told.peek : told.recall, () => memory.recall({ query, peek }));
  }
}
await memory.close();
console.log(JSON.stringify(told));
