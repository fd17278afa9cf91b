// Remembers in one run, recalls in the next: node remember.mjs [FILE]
import { FileStore, open } from "ebbtrace";

const memory = await open({ store: new FileStore(process.argv[2] ?? "memory.log") });

const { hits } = await memory.recall("how do we bill?");
if (hits.length === 0) {
  console.log("Nothing is known of billing yet.");
  const { id, resolution } = await memory.remember("We bill by the outcome, not by the hour", {
    id: "decision:pricing",
    kind: "decision",
    author: "Ana",
  });
  console.log(`Remembered as ${id} (${resolution}). Run this again.`);
}
for (const { memory: found, matched, tier } of hits) {
  console.log(`${found.author} said: ${found.content}`);
  console.log(`Found by ${matched.join(", ")}; it is ${tier}. Times recalled before: ${found.recall_count}.`);
}

await memory.close();
