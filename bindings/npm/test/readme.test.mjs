// The README's examples do what they say: each is run against the built package, and prints what its comments claim.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
/** Those that only declare what a program with a key, or a page, would call: they are compiled, in tools/readme.test.mjs. */
const runs = blocks.filter((code) => !/^export /m.test(code));

/** What a block says that it prints: after each console.log, on its line or on the next. */
function claimed(code) {
  return [...code.matchAll(/console\.log\(.*\);(?: \/\/ |\n\/\/ )(.*)$/gm)].map(([, text]) => text);
}

/** A folder in which `ebbtrace` is this package, and where nothing of this machine's is read or written. */
function place(t) {
  const folder = mkdtempSync(join(tmpdir(), "ebbtrace-readme-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PACKAGE, join(folder, "node_modules", "ebbtrace"), "junction");
  const env = { ...process.env, EBBTRACE_FILE: join(folder, "memory.log") };
  return { folder, options: { cwd: folder, encoding: "utf8", env } };
}

test("the first example stands in the first 30 lines, and prints what it says, again and again", (t) => {
  assert.ok(readme.split("\n").slice(0, 30).join("\n").includes(blocks[0]));
  const { folder, options } = place(t);
  writeFileSync(join(folder, "first.mjs"), blocks[0]);
  for (let run = 0; run < 3; run += 1) {
    const printed = execFileSync(process.execPath, ["first.mjs"], options);
    assert.equal(printed, "We bill by the outcome, not by the hour\n[ 'bill' ] hot\n");
  }
  assert.deepEqual(claimed(blocks[0]), ["We bill by the outcome, not by the hour", "[ 'bill' ] hot"]);
});

for (const [index, code] of runs.entries()) {
  const heading = readme.slice(0, readme.indexOf(code)).match(/^#+ (.*)$/gm).at(-1).replace(/^#+ /, "");
  test(`example ${index + 1}, under "${heading}", prints what it says`, (t) => {
    const { folder, options } = place(t);
    writeFileSync(join(folder, "example.mjs"), code);
    const { status, stdout, stderr } = spawnSync(process.execPath, ["example.mjs"], options);
    assert.deepEqual([status, stderr], [0, ""]);
    assert.deepEqual(stdout.split("\n").slice(0, -1), claimed(code));
  });
}

test("every example that can run is run", () => {
  assert.equal(runs.length, 9);
  // Slim, the AI SDK, LangChain, OpenAI, Anthropic.
  assert.equal(blocks.length - runs.length, 5);
});

test("the table of errors names every code that the package has, and the engine's", () => {
  const said = new Set([...readme.matchAll(/^\| (`[a-z_`, ]+`) \|/gm)].flatMap(([, codes]) => codes.replaceAll("`", "").split(", ")));
  const engine = readFileSync(join(PACKAGE, "../../core/src/error.rs"), "utf8");
  const telling = engine.slice(engine.indexOf("pub fn code("), engine.indexOf("pub fn field("));
  const codes = [...telling.matchAll(/^ *Self::\w+ \{ \.\. \} => "([a-z_]+)",$/gm)].map(([, code]) => code);
  assert.equal(codes.length, 16);
  const errors = readFileSync(join(PACKAGE, "src/errors.ts"), "utf8");
  codes.push(...[...errors.matchAll(/^ {2}([a-z_]+): "/gm)].map(([, code]) => code));
  for (const code of codes) assert.ok(said.has(code), code);
});
