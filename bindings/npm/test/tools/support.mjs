// What the tests share: a memory in a file that outlives a session, and the model's side of a conversation.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStore, open } from "../../dist/node.js";

/** A path for a memory's file; what is there goes with the test. */
export function place(t) {
  const folder = mkdtempSync(join(tmpdir(), "ebbtrace-tools-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "memory.log");
}

/** One session on the file: the memory is opened for it, and closed after it. */
export async function session(path, work) {
  const memory = await open({ store: new FileStore(path) });
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}

export const FACT = "We deploy on Wednesdays";

/** What a model answers that has read a tool's answer: only what is quoted there as stored. */
export function answerFrom(told) {
  const quoted = told.split("\n").filter((line) => /^\| (?! {2})/.test(line));
  return quoted.length ? `You said: ${quoted.map((line) => line.slice(2)).join(" ")}` : "I don't know.";
}

/** The error that a tool answered, in its three parts. */
export function refusal(text) {
  const found = /^Error (\w+): (.*)\. Next step: (.+)$/s.exec(text);
  assert.ok(found, `no refusal: ${text}`);
  return { code: found[1], reason: found[2], nextStep: found[3] };
}

/**
 * An API on this machine that answers by a script: each step is given the request's body and makes the answer's. What
 * was asked is kept in `asked`.
 */
export async function scripted(t, steps) {
  const asked = [];
  const left = [...steps];
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(parts).toString("utf8"));
      asked.push({ path: request.url, body });
      const step = left.shift();
      response.writeHead(step ? 200 : 500, { "content-type": "application/json" });
      response.end(JSON.stringify(step ? step(body) : { error: { message: "the script has ended" } }));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${server.address().port}`, asked, left };
}
