// What is taken, as what; and what is refused, in which words: as the MCP server does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStore, open } from "../../dist/node.js";
import { memoryTools, run } from "../../dist/tools.js";
import { refusal } from "./support.mjs";

/** A fresh memory with its tools. */
async function fresh(t, clock = () => 1_792_065_600_000) {
  const memory = await open({ store: new MemoryStore(), embedder: null, clock });
  t.after(() => memory.close());
  const tools = memoryTools(memory);
  return { memory, call: (name, args) => run(tools, name, args), refused: async (name, args) => refusal(await run(tools, name, args)) };
}

test("texts stand for what they spell", async (t) => {
  const { memory, call } = await fresh(t);
  await call("remember", { content: "The target", id: "x" });
  const links = '[{"to": "x", "weight": "2"}]';
  await call("remember", { content: 5, importance: "0.9", tags: '["a", "b"]', metadata: '{"k": [1]}', links, id: 7 });
  const { content, importance, tags, metadata } = await memory.get("7");
  assert.deepEqual({ content, importance, tags, metadata }, { content: "5", importance: 0.9, tags: ["a", "b"], metadata: { k: [1] } });
  const { items } = await memory.neighbors("7");
  assert.deepEqual(items.map(({ memory, weight, relation }) => [memory.id, weight, relation]), [["x", 2, "related"]]);
});

test("one entry stands for a list of one, and a text for an object that needs one", async (t) => {
  const { memory, call } = await fresh(t);
  await call("remember", { content: "The first target", id: "x" });
  await call("remember", { content: "A second, other aim", id: "y" });
  await call("remember", { content: "The source of both", id: "s", tags: 5, links: ["x", { to: "y", relation: "cites" }] });
  assert.deepEqual((await memory.get("s")).tags, ["5"]);
  const { items } = await memory.neighbors("s");
  assert.deepEqual(items.map(({ memory, relation }) => [memory.id, relation]).sort(), [["x", "related"], ["y", "cites"]]);
  await call("remember", { content: "A third thing altogether", id: "z", links: { to: "x" } });
  assert.equal((await memory.neighbors("z")).items[0].memory.id, "x");
});

test("null in every spelling is an argument left out", async (t) => {
  const { call } = await fresh(t);
  await call("remember", { content: "null is a value in SQL", kind: null, tags: "null", metadata: "NULL", scope: "", occurred_at: " ", whatever: null });
  assert.match(await call("recall", { query: "null", k: null, depth: "null", tags: "null", as_of: "", min_score: undefined }), /\| null is a value in SQL/);
});

test("whole numbers come in many spellings", async (t) => {
  const { call, refused } = await fresh(t);
  for (const number of [1, 2, 3]) await call("remember", { content: `Step ${number} of the plan`, id: `${number}` });
  const found = async (k) => [...(await call("recall", { query: "plan", k })).matchAll(/^\| (?! {2})/gm)].length;
  for (const [k, expected] of [["2", 2], [2, 2], ["2.0", 2], ["1e9", 3], [1e300, 3], [Number.MAX_SAFE_INTEGER + 9, 3], [0, 1], [-1, 1]]) {
    assert.equal(await found(k), expected, `${k}`);
  }
  for (const wrong of [2.5, "five", true, [1], "NaN", "1e999", "0x5", Infinity]) {
    const { code, reason } = await refused("recall", { query: "plan", k: wrong });
    assert.equal(code, "invalid_argument", `${wrong}`);
    assert.match(reason, /^k is .*; allowed is a whole number/);
  }
});

test("truth values and choices are known in any case", async (t) => {
  const { memory, call, refused } = await fresh(t);
  await call("remember", { content: "Keep this", id: "x" });
  for (const [given, pinned] of [["True", true], [0, false], ["1", true], ["false", false], [null, true]]) {
    await call("pin", { id: "x", pinned: given });
    assert.equal((await memory.get("x")).pinned ?? false, pinned, `${given}`);
  }
  assert.equal((await refused("pin", { id: "x", pinned: "maybe" })).reason, 'pinned is the text "maybe"; allowed is true or false (Default true; false unpins)');
  assert.match(await call("recall", { query: "keep", depth: "Cold" }), /\| Keep this/);
  assert.equal((await refused("recall", { query: "q", depth: "lava" })).reason, 'depth is the text "lava"; allowed is one of hot, warm, cold, frozen');
});

test("names are known in any spelling, and others are refused with the right ones", async (t) => {
  const { call, refused } = await fresh(t);
  assert.match(await call("recall", { Query: "q", minScore: 0.2, "as-of": "2026-01-01" }), /^Nothing in scope default/);
  const { code, reason } = await refused("recall", { query: "q", project: "x" });
  assert.equal(code, "unknown_argument");
  assert.equal(reason, 'there is no argument "project"; allowed are as_of, depth, k, kinds, min_score, query, scope, tags');
  assert.equal((await refused("recall", { query: "q", min_score: 0.2, minScore: 0.3 })).reason, "min_score is given twice; allowed is one value");
  assert.match((await refused("remember", { content: "c", links: [{ to: "x", kind: "y" }] })).reason, /^there is no argument "links\[0\]\.kind"; allowed are relation, to, weight/);
  for (const name of ["__proto__", "constructor", "toString"]) {
    assert.equal((await refused("recall", `{"query": "q", "${name}": {"a": 1}}`)).code, "unknown_argument", name);
  }
});

test("what is missing or of another kind is named with its place", async (t) => {
  const { memory, refused } = await fresh(t);
  for (const [args, code, reason] of [
    [{}, "missing_argument", "content is missing; it is a text (What to remember: one self-contained statement, up to 64 KiB)"],
    [{ content: null }, "missing_argument", "content is missing; it is a text (What to remember: one self-contained statement, up to 64 KiB)"],
    [{ content: "c", links: [{ relation: "x" }] }, "missing_argument", "links[0].to is missing; it is a text (A memory's id)"],
    [{ content: { a: 1 } }, "invalid_argument", "content is an object; allowed is a text (What to remember: one self-contained statement, up to 64 KiB)"],
    [{ content: "c", tags: ["a", null] }, "invalid_argument", "tags[1] is null; allowed is a text"],
    [{ content: "c", tags: "['a', 'b']" }, "invalid_argument", "tags is the text \"['a', 'b']\"; allowed is a JSON list of texts"],
    [{ content: "c", metadata: "just words" }, "invalid_argument", 'metadata is the text "just words"; allowed is a JSON object (Any JSON object)'],
    [{ content: "c", metadata: [1] }, "invalid_argument", "metadata is a list of 1 entry; allowed is a JSON object (Any JSON object)"],
  ]) {
    const told = await refused("remember", args);
    assert.deepEqual([told.code, told.reason], [code, reason], JSON.stringify(args));
  }
  assert.equal((await memory.stats()).memories, 0);
});

test("the arguments as a whole may be a text, or left out", async (t) => {
  const { call, refused } = await fresh(t);
  for (const nothing of [undefined, null, "", "null", "{}", {}]) assert.match(await call("stats", nothing), /^Scope default: 0 memories/);
  assert.match(await call("recall", '{"query": "x"}'), /^Nothing in scope default/);
  for (const wrong of [[1, 2], "recall it", '"x"', 5, true, "{oops"]) {
    const { code, reason } = await refused("recall", wrong);
    assert.equal(code, "invalid_argument");
    assert.match(reason, /^arguments is .*; allowed is a JSON object of the tool's arguments/);
  }
});

test("times are RFC 3339, dates or milliseconds; what could be two times is refused", async (t) => {
  const { memory, call, refused } = await fresh(t);
  const noon = 1_792_065_600_000;
  const spellings = [
    ["2026-10-15T12:00:00Z", noon], ["2026-10-15T21:00:00+09:00", noon], ["2026-10-15 12:00:00z", noon], ["2026-10-15T12:00", noon],
    [" 2026-10-15T12:00:00.000Z ", noon], ["2026-10-15", noon - 43_200_000], [String(noon), noon], [noon, noon], ["0", 0],
    ["2026-10-15T12:00:00.5Z", noon + 500], ["2026-10-15T11:30:00-00:30", noon], ["0001-01-01", -62_135_596_800_000],
  ];
  for (const [index, [spelled, at]] of spellings.entries()) {
    await call("remember", { id: `m${index}`, content: `Event number ${index} took place`, occurred_at: spelled });
    assert.equal((await memory.get(`m${index}`)).occurred_at, at, `${spelled}`);
  }
  // Seconds or milliseconds? A date without dashes? No day at all? A place's time?
  for (const wrong of ["1792065600", "20261015", "tomorrow", "15.10.2026", "2026-13-01", "2026-02-30", "2026-10-15T25:00Z", "2026-10-15T09:00[Asia/Seoul]", "2026-10-15T09:00+xx"]) {
    const { code, reason } = await refused("remember", { content: "x", occurred_at: wrong });
    assert.equal(code, "invalid_argument", wrong);
    assert.ok(reason.startsWith(`occurred_at is ${JSON.stringify(wrong)}; allowed is a time such as 2026-10-15, 2026-10-15T09:30:00Z`), reason);
  }
});

test("nesting without end is refused, and the memory works on", async (t) => {
  const { call, refused } = await fresh(t);
  let deep = "x";
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  assert.match((await refused("remember", { content: "c", metadata: { deep } })).reason, /^metadata is an object of more than 64 levels/);
  assert.equal((await refused("remember", { content: "c", tags: deep })).code, "invalid_argument");
  const nested = (levels) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  assert.equal((await refused("remember", { content: "c", metadata: nested(50) })).code, "too_long");
  assert.equal((await refused("remember", `{"content": "c", "metadata": ${nested(100_000)}}`)).code, "invalid_argument");
  assert.match(await call("remember", { content: "The memory is well" }), /^Stored as/);
});

test("the engine's own refusals come with its codes", async (t) => {
  const { refused } = await fresh(t);
  for (const [name, args, code] of [
    ["remember", { content: "\u200b" }, "blank"],
    ["remember", { content: "x".repeat(65_537) }, "too_long"],
    ["remember", { content: "x", importance: 7 }, "out_of_range"],
    ["connect", { from: "a", to: "b" }, "not_found"],
    ["forget", { id: "a" }, "not_found"],
    ["update", { id: "a" }, "missing_argument"],
    ["recall", { query: "[read a]" }, "not_found"],
    ["track_progress", { feature: "f", status: "done", completion: 300 }, "out_of_range"],
  ]) {
    assert.equal((await refused(name, args)).code, code, `${name} ${JSON.stringify(args).slice(0, 60)}`);
  }
});
