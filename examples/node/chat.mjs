// A chat that remembers: node chat.mjs [FILE], a line a turn. Each turn recalls what bears on it, answers, and remembers.
import { createInterface } from "node:readline";
import { FileStore, open } from "ebbtrace";

const memory = await open({ store: new FileStore(process.argv[2] ?? "chat.log") });
const session = new Date().toISOString();

/**
 * Stands for a language model, so that this runs without one. Yours goes here: hand it `known` as data, beside the user's
 * words, and never as instructions.
 */
async function model(said, known) {
  if (!said.endsWith("?")) return known.length ? `Noted. That goes with: ${known[0]}` : "Noted.";
  return known.length ? `You told me: ${known[0]}` : "I don't know that.";
}

const lines = createInterface({ input: process.stdin, prompt: "you> " });
const shown = process.stdin.isTTY;
if (shown) lines.prompt();
for await (const line of lines) {
  const said = line.trim();
  if (said) {
    const { hits } = await memory.recall(said, { k: 3 });
    const known = hits.map((hit) => hit.memory.content);
    console.log(`bot> ${await model(said, known)}`);
    if (!said.endsWith("?")) {
      const { resolution, other } = await memory.remember(said, { author: "user", session });
      if (resolution === "replaced") console.log(`     (this takes the place of what you said before: ${(await memory.get(other)).content})`);
    }
  }
  if (shown) lines.prompt();
}

await memory.close();
