// The programs of examples/node, run as their README says, twice each, with this package as `ebbtrace`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const EXAMPLES = fileURLToPath(new URL("../../../examples/node/", import.meta.url));
const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** A copy of the examples, where what they store goes with the test. */
function copied(t) {
  const folder = mkdtempSync(join(tmpdir(), "ebbtrace-examples-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of readdirSync(EXAMPLES)) {
    if (/\.mjs$|^package\.json$/.test(name)) cpSync(join(EXAMPLES, name), join(folder, name));
  }
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PACKAGE, join(folder, "node_modules", "ebbtrace"), "junction");
  return (program, input = "") => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program], { cwd: folder, input, encoding: "utf8" });
    assert.deepEqual([status, stderr], [0, ""]);
    return stdout.split("\n").slice(0, -1);
  };
}

test("remember.mjs remembers in its first run and recalls in the ones after", (t) => {
  const run = copied(t);
  assert.deepEqual(run("remember.mjs"), [
    "Nothing is known of billing yet.",
    "Remembered as decision:pricing (created). Run this again.",
  ]);
  const told = (count) => [
    "Ana said: We bill by the outcome, not by the hour",
    `Found by bill; it is hot. Times recalled before: ${count}.`,
  ];
  assert.deepEqual(run("remember.mjs"), told(0));
  assert.deepEqual(run("remember.mjs"), told(1));
});

test("chat.mjs answers from what it was told, in this run and in the next", (t) => {
  const run = copied(t);
  assert.deepEqual(run("chat.mjs", "My dog is called Bruno\nThe deadline is 15 October\n\nWhat is the capital of Peru?\n"), [
    "bot> Noted.",
    "bot> Noted.",
    "bot> I don't know that.",
  ]);
  assert.deepEqual(run("chat.mjs", "What is my dog called?\nThe deadline is 16 October\nWhen is the deadline?"), [
    "bot> You told me: My dog is called Bruno",
    "bot> Noted. That goes with: The deadline is 15 October",
    "     (this takes the place of what you said before: The deadline is 15 October)",
    "bot> You told me: The deadline is 16 October",
  ]);
});

test("they ask for this package, by the path that it has in the repository", () => {
  const { dependencies } = JSON.parse(readFileSync(join(EXAMPLES, "package.json"), "utf8"));
  assert.deepEqual(dependencies, { ebbtrace: "file:../../bindings/npm" });
});
