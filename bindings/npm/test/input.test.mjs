// Bad input: an error with a code, the field as it is written in JavaScript, and a next step; and nothing is changed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EbbtraceError, MemoryStore, open } from "../dist/node.js";

const NOW = Date.UTC(2026, 0, 1);

async function seeded(options = {}) {
  const memory = await open({ store: new MemoryStore(), embedder: null, clock: () => NOW, ...options });
  await memory.remember("The staging database is wiped on Sundays", { id: "staging" });
  await memory.remember("Invoices are sent by the outcome", { id: "invoices" });
  return memory;
}

/** Refused with that code and field, in an error that is whole; the memory is what it was. */
async function refused(memory, call, code, field, message) {
  const before = await memory.digest();
  const error = await call().then(
    () => assert.fail(`it was accepted: ${call}`),
    (error) => error,
  );
  assert.ok(error instanceof EbbtraceError, `${call}: ${error?.stack}`);
  assert.equal(error.code, code, `${call}: ${error.message}`);
  assert.equal(error.field, field, `${call}: ${error.message}`);
  assert.match(error.nextStep, /\w.*\.$/, `${call}`);
  assert.doesNotMatch(error.message, /serde|JsValue|i64|f32|f64|floating point|unit value|Reflect|struct |undefined is not/, `${call}`);
  if (message) assert.match(error.message, message);
  assert.equal(await memory.digest(), before, `${call} changed something`);
  return error;
}

/** For each field of each verb a value of a wrong type. */
const WRONG = {
  remember: [
    (memory, more) => memory.remember({ content: "A new thing", ...more }),
    {
      content: 5, id: {}, kind: ["note"], category: 1, importance: "0.5", author: true, tags: "a", metadata: "x", session: 5, client: 5, uri: 5,
      occurred_at: "2026-01-01", links: "staging", pinned: "yes", embedding: 5, scope: 5,
    },
  ],
  recall: [
    (memory, more) => memory.recall({ query: "staging", ...more }),
    {
      query: 5, k: "5", depth: 3, kinds: "note", tags: {}, min_score: "0.1", as_of: new Date(0), profile: 1, embedding: [1], peek: 1, asker: 5, scope: [],
    },
  ],
  update: [
    (memory, more) => memory.update("staging", more),
    { content: 5, importance: "1", tags: 5, metadata: [], client: 5, session: 5, if_version: "1", embedding: "x", scope: 5 },
  ],
  connect: [(memory, more) => memory.connect("staging", "invoices", more), { relation: 5, weight: "1", scope: 5 }],
  reinforce: [(memory, more) => memory.reinforce("staging", more), { scope: 5 }],
  forget: [(memory, more) => memory.forget("staging", more), { reason: 5, scope: 5 }],
  restore: [(memory, more) => memory.restore("staging", more), { scope: 5 }],
  pin: [(memory, more) => memory.pin("staging", true, more), { scope: 5 }],
  neighbors: [(memory, more) => memory.neighbors("staging", more), { depth: "2", limit: "2", cursor: 5, scope: 5 }],
  get: [(memory, more) => memory.get("staging", more), { scope: 5 }],
  maintain: [(memory, more) => memory.maintain(more), { dry_run: "no", scope: 5 }],
  review: [(memory, more) => memory.review(more), { limit: {}, cursor: 5, scope: 5 }],
  trackFailure: [
    (memory, more) => memory.trackFailure({ error: "it broke", component: "db", ...more }),
    { error: 5, component: [], severity: 3, root_cause: 5, fix: 5, related_test_ids: "t", session: 5, client: 5, embedding: 5, scope: 5 },
  ],
  trackProgress: [
    (memory, more) => memory.trackProgress({ feature: "login", status: "review", ...more }),
    { feature: 5, status: 5, completion: "40", blockers: "x", quality_score: "9", notes: 5, session: 5, client: 5, embedding: 5, scope: 5 },
  ],
  handoff: [
    (memory, more) => memory.handoff({ summary: "half done", ...more }),
    { summary: 5, completed: "x", in_progress: 5, blocked: {}, next_steps: "x", session: 5, client: 5, embedding: 5, scope: 5 },
  ],
  resume: [(memory, more) => memory.resume(more), { budget: "x", scope: 5 }],
  stats: [(memory, more) => memory.stats(more), { scope: 5 }],
  forecast: [(memory, more) => memory.forecast("staging", more), { scope: 5 }],
  tiers: [(memory, more) => memory.tiers(more), { scope: 5 }],
  history: [(memory, more) => memory.history("staging", more), { scope: 5 }],
  records: [(memory, more) => memory.records(more), { scope: 5 }],
  digest: [(memory, more) => memory.digest(more), { scope: 5 }],
  export: [(memory, more) => memory.export(more), { scope: 5 }],
  reembed: [(memory, more) => memory.reembed(more), { scope: 5 }],
};

for (const [verb, [call, fields]] of Object.entries(WRONG)) {
  test(`${verb} refuses what is of a wrong type, and a field that it has not`, async () => {
    const memory = await seeded();
    for (const [field, value] of Object.entries(fields)) {
      await refused(memory, () => call(memory, { [field]: value }), "bad_argument", field, new RegExp(`^${field} is .*; allowed is `));
    }
    const error = await refused(memory, () => call(memory, { scoep: "default" }), "unknown_argument", "scoep", /"scoep"; allowed are .*scope/);
    assert.match(error.nextStep, /mend its name/);
    await memory.close();
  });
}

test("what is no object is refused, and says what is", async () => {
  const memory = await seeded();
  for (const what of [undefined, null, 5, true, [], () => 1, 10n, Symbol("x")]) {
    await refused(memory, () => memory.remember(what), "bad_argument", "input", /^remember was given .*; allowed is a text or an object$/);
    await refused(memory, () => memory.recall(what), "bad_argument", "input", /^recall was given /);
    await refused(memory, () => memory.handoff(what), "bad_argument", "input", /^handoff was given /);
    await refused(memory, () => memory.trackFailure(what), "bad_argument", "input", /^trackFailure was given .*; allowed is an object$/);
    await refused(memory, () => memory.trackProgress(what), "bad_argument", "input");
    await refused(memory, () => memory.update("staging", what), "bad_argument", "changes");
    await refused(memory, () => memory.import(what), "bad_argument", "text");
    await refused(memory, () => memory.decide(what, "approve"), "bad_argument", "item");
  }
  await refused(memory, () => memory.remember("A text", 5), "bad_argument", "options");
  await refused(memory, () => memory.decide({ proposal: {}, memory: { id: "staging", scope: "default" } }, "yes"), "bad_argument", "decision", /allowed is approve, reject, pin/);
  await memory.close();
});

test("an id that is missing or no text is refused by every verb that takes one", async () => {
  const memory = await seeded();
  for (const id of [undefined, null, 5, {}, ["staging"]]) {
    for (const verb of ["reinforce", "forget", "restore", "pin", "neighbors", "get", "forecast", "history"]) {
      await refused(memory, () => memory[verb](id), "bad_argument", "id", /^id is .*; allowed is a text$/);
    }
    await refused(memory, () => memory.update(id, { content: "x" }), "bad_argument", "id");
    await refused(memory, () => memory.connect(id, "staging"), "bad_argument", "from");
    await refused(memory, () => memory.connect("staging", id), "bad_argument", "to");
  }
  await refused(memory, () => memory.pin("staging", "yes"), "bad_argument", "pinned", /true or false/);
  await refused(memory, () => memory.get("no such"), "not_found", "id");
  await memory.close();
});

test("numbers that are none, without end, negative or between two", async () => {
  const memory = await seeded();
  for (const importance of [NaN, Infinity, -Infinity, -1, 1.01]) {
    await refused(memory, () => memory.remember("x y", { importance }), "out_of_range", "importance", /allowed is a number from 0 to 1/);
  }
  for (const weight of [NaN, Infinity, -1, 0, 10.5]) await refused(memory, () => memory.connect("staging", "invoices", { weight }), "out_of_range", "weight");
  for (const min_score of [NaN, -0.1, 2]) await refused(memory, () => memory.recall("x", { min_score }), "out_of_range", "min_score");
  for (const value of [NaN, Infinity, 1.5, 1e300]) {
    await refused(memory, () => memory.recall("x", { k: value }), "out_of_range", "k", /allowed is a whole number/);
    await refused(memory, () => memory.recall("x", { as_of: value }), "out_of_range", "as_of", /milliseconds since 1970/);
    await refused(memory, () => memory.remember("x", { occurred_at: value }), "out_of_range", "occurred_at");
    await refused(memory, () => memory.neighbors("staging", { limit: value }), "out_of_range", "limit");
    await refused(memory, () => memory.neighbors("staging", { depth: value }), "out_of_range", "depth");
    await refused(memory, () => memory.resume({ budget: value }), "out_of_range", "budget");
    await refused(memory, () => memory.update("staging", { if_version: value, tags: ["t"] }), "out_of_range", "if_version");
  }
  for (const completion of [NaN, -1, 101]) {
    await refused(memory, () => memory.trackProgress({ feature: "login", status: "done", completion }), "out_of_range", "completion");
  }
  await memory.close();
});

test("a field that is undefined or null is a field left out", async () => {
  const memory = await seeded();
  const left = { kind: undefined, importance: null, tags: null, metadata: undefined, links: null, pinned: null, embedding: null, scope: undefined, id: "left" };
  await memory.remember({ content: "The backup runs at four", ...left });
  const kept = await memory.get("left");
  assert.deepEqual([kept.kind, kept.importance, kept.tags, kept.metadata, kept.pinned], ["note", 0.5, undefined, undefined, undefined]);
  const found = await memory.recall({ query: "backup", k: null, kinds: undefined, profile: null, peek: null, embedding: null });
  assert.deepEqual(found.hits.map((hit) => hit.memory.id), ["left"]);
  await memory.update("left", { content: null, tags: ["ops"], metadata: undefined });
  assert.deepEqual([(await memory.get("left")).content, (await memory.get("left")).tags], ["The backup runs at four", ["ops"]]);
  assert.equal((await memory.pin("left", undefined, null)).memory.pinned, true);

  // But what is wanted can't be left out.
  for (const content of [undefined, null, "", " \n"]) await refused(memory, () => memory.remember({ content }), "blank", "content");
  for (const query of [undefined, null, ""]) await refused(memory, () => memory.recall({ query }), "blank", "query");
  await refused(memory, () => memory.trackFailure({ error: null, component: "db" }), "blank", "error");
  await refused(memory, () => memory.handoff({ summary: null }), "blank", "summary");
  await refused(memory, () => memory.remember({ content: "x", links: [{}] }), "bad_argument", "links[0].to");
  await refused(memory, () => memory.remember({ content: "x", tags: ["a", null] }), "bad_argument", "tags[1]");
  await refused(memory, () => memory.remember({ content: "x", embedding: { model: "m" } }), "bad_argument", "embedding.values");
  await memory.close();
});

test("values that are not of a list, and texts over the limit", async () => {
  const memory = await seeded();
  await refused(memory, () => memory.remember("x", { category: "truth" }), "unknown_value", "category", /fact, assumption, failure, strategy/);
  await refused(memory, () => memory.recall("x", { depth: "deep" }), "unknown_value", "depth");
  await refused(memory, () => memory.trackFailure({ error: "x", component: "y", severity: "huge" }), "unknown_value", "severity");
  await refused(memory, () => memory.remember("x".repeat(65_537)), "too_long", "content", /65537 bytes; at most 65536/);
  await refused(memory, () => memory.remember(`${"é".repeat(32_768)}x`), "too_long", "content", /65537 bytes/);
  assert.equal((await memory.remember("y ".repeat(32_767) + "zz")).resolution, "created");
  await refused(memory, () => memory.remember("x", { metadata: { a: "x".repeat(16_384) } }), "too_long", "metadata");
  await refused(memory, () => memory.recall("x".repeat(8_193)), "too_long", "query");
  await memory.close();
});

test("metadata is JSON, whole or not at all", async () => {
  const memory = await seeded();
  const given = { day: new Date(0), none: undefined, list: [1, undefined, "x"], deep: { constructor: 2, toString: "t" }, off: null };
  await memory.remember("It has metadata", { id: "meta", metadata: given });
  assert.deepEqual((await memory.get("meta")).metadata, {
    day: "1970-01-01T00:00:00.000Z", list: [1, null, "x"], deep: { constructor: 2, toString: "t" }, off: null,
  });
  const round = {};
  round.round = round;
  for (const [metadata, code, field] of [
    [JSON.parse('{"a": {"__proto__": {"admin": true}}}'), "bad_name", "metadata.a"],
    [{ a: { b: NaN } }, "out_of_range", "metadata.a.b"],
    [{ a: [1, () => 1] }, "bad_argument", "metadata.a[1]"],
    [{ a: 10n }, "bad_argument", "metadata.a"],
    [{ a: new Map() }, "bad_argument", "metadata.a"],
    [round, "too_long", "metadata"],
  ]) {
    await refused(memory, () => memory.remember("It has metadata that can't be kept", { metadata }), code, field);
    await refused(memory, () => memory.update("meta", { metadata }), code, field);
  }
  assert.equal({}.admin, undefined);
  const line = '{"content": "It came in a file", "metadata": {"__proto__": {"admin": true}}}';
  await refused(memory, () => memory.import(line), "bad_import", "text", /^line 1: .*"__proto__"/);
  await memory.close();
});

test("halves of characters: in a text each is U+FFFD, in a name refused", async () => {
  const store = new MemoryStore();
  const memory = await open({ store, embedder: null, clock: () => NOW });
  await memory.remember("half a \ud83d face", { id: "half", tags: ["t\udfff"], metadata: { "k\ud800": "v\ud800" } });
  const kept = await memory.get("half");
  assert.equal(kept.content, "half a \ufffd face");
  assert.deepEqual([kept.tags, kept.metadata], [["t\ufffd"], { "k\ufffd": "v\ufffd" }]);
  const anew = await open({ store, embedder: null, clock: () => NOW });
  assert.equal(await anew.digest(), await memory.digest());
  for (const field of ["id", "scope", "kind"]) await refused(memory, () => memory.remember("x", { [field]: "s\ud800" }), "bad_name", field);
  await refused(memory, () => memory.update("s\ud800", { content: "x" }), "bad_name", "id");
  await refused(memory, () => memory.connect("half", "s\udc00"), "bad_name", "to");
  assert.equal((await memory.remember("whole 😀", { id: "😀" })).id, "😀");
});

test("open refuses what it does not know, and what is of a wrong type", async () => {
  const cases = [
    [null, "bad_argument", "options"],
    [{ stoer: 1 }, "unknown_argument", "stoer"],
    [{ store: null }, "bad_argument", "store"],
    [{ store: { load() {} } }, "bad_argument", "store.commit"],
    [{ scope: 5 }, "bad_argument", "scope"],
    [{ clock: 5 }, "bad_argument", "clock"],
    [{ config: 5 }, "bad_argument", "config"],
    [{ embedder: 5 }, "bad_argument", "embedder"],
    [{ embedder: {} }, "bad_argument", "embedder.name"],
    [{ embedder: { name: "m" } }, "bad_argument", "embedder.embed"],
    [{ config: { fading: { half_life_days: -1 } } }, "bad_argument", "config"],
    [{ config: { fading: { half_lif_days: 10 } } }, "bad_argument", "config"],
    [{ config: { fadding: { half_life_days: 10 } } }, "bad_argument", "config"],
    [{ config: { fadding: {} } }, "bad_argument", "config"],
    [{ config: { fading: null } }, "bad_argument", "config"],
    [{ config: { tiers: "hot" } }, "bad_argument", "config"],
    [{ config: { tiers: { hot: "x" } } }, "bad_argument", "config"],
  ];
  for (const [options, code, field] of cases) {
    const error = await open(options && { store: new MemoryStore(), ...options }).then(assert.fail, (error) => error);
    assert.ok(error instanceof EbbtraceError, String(error));
    assert.deepEqual([error.code, error.field], [code, field], error.message);
    assert.ok(error.nextStep);
  }
});

test("an embedder that fails stores nothing, and recall goes without it", async () => {
  const failures = {
    "it throws": [async () => { throw new Error("down"); }, /down/],
    "it throws at once, and no error": [() => { throw "down"; }, /down/],
    "it gives nothing": [async () => undefined, /no vector/],
    "it gives no vector": [async () => [], /no vector/],
    "it gives an empty vector": [async () => [new Float32Array(0)], /no vector/],
    "it gives NaN": [async () => [new Float32Array([NaN, 1])], /what is no number/],
    "it gives Infinity": [async () => [[1, Infinity]], /what is no number/],
    "it gives texts": [async () => [["a"]], /what is no number/],
  };
  for (const [name, [embed, why]] of Object.entries(failures)) {
    const store = new MemoryStore();
    const before = await open({ store, embedder: null, clock: () => NOW });
    await before.remember("The staging database is wiped on Sundays", { id: "staging" });
    const memory = await open({ store, clock: () => NOW, embedder: { name: "mine", embed } });
    await refused(memory, () => memory.remember("Another thing"), "embedder_failed", "embedder", why);
    await refused(memory, () => memory.update("staging", { content: "Another text" }), "embedder_failed", "embedder", why);
    await refused(memory, () => memory.handoff("half done"), "embedder_failed", "embedder", why);
    await refused(memory, () => memory.import('{"content": "a"}\n'), "embedder_failed", "embedder", why);
    await refused(memory, () => memory.reembed(), "embedder_failed", "embedder", why);
    const found = await memory.recall("staging database", { peek: true });
    assert.deepEqual(found.hits.map((hit) => hit.memory.id), ["staging"], name);
    assert.match(found.notices.join(" "), /Found without the embedder/);
  }
});

test("a vector of another dimension is refused", async () => {
  let dimension = 3;
  const memory = await open({ store: new MemoryStore(), clock: () => NOW, embedder: { name: "mine", embed: async () => [new Float32Array(dimension).fill(1)] } });
  await memory.remember("The first has three");
  dimension = 4;
  await refused(memory, () => memory.remember("And what comes after has four"), "wrong_dimension", "embedding.values", /4 dimensions; the model "mine" gives 3/);
});

test("a clock that gives no time changes nothing; one that goes backwards is taken as it is", async () => {
  const faults = [() => NaN, () => Infinity, () => "noon", () => undefined, () => { throw new Error("no clock"); }];
  let clock = () => NOW;
  const memory = await seeded({ clock: () => clock() });
  const digest = await memory.digest();
  for (const fault of faults) {
    clock = fault;
    for (const call of [() => memory.remember("At no time"), () => memory.recall("staging"), () => memory.stats()]) {
      await assert.rejects(call, { name: "EbbtraceError", code: "clock_failed", field: "clock" });
    }
    clock = () => NOW;
    assert.equal(await memory.digest(), digest);
  }
  clock = () => NOW - 86_400_000;
  const found = await memory.recall("staging");
  assert.deepEqual(found.hits.map((hit) => [hit.memory.id, hit.age_days]), [["staging", 0]]);
  assert.ok(found.hits.every((hit) => Object.values(hit.score).every(Number.isFinite)));
  clock = () => NOW + 0.75;
  await memory.remember("Between two milliseconds", { id: "between" });
  assert.equal((await memory.get("between")).created_at, NOW);
});

test("a listener that throws harms nobody", async (context) => {
  const memory = await seeded();
  const told = [];
  const faults = context.mock.method(console, "error", () => {});
  memory.subscribe(() => { throw new Error("a listener's own fault"); });
  const end = memory.subscribe((changed) => told.push(changed.operation));
  await memory.remember("It is stored all the same", { id: "same" });
  assert.deepEqual(told, ["remember"]);
  assert.equal(faults.mock.callCount(), 1);
  assert.equal((await memory.get("same")).content, "It is stored all the same");
  end();
  await memory.pin("same");
  assert.deepEqual(told, ["remember"]);
  assert.throws(() => memory.subscribe("x"), { code: "bad_argument", field: "listener" });
});

test("after close every call says so, and closing again is nothing", async () => {
  const memory = await seeded();
  await memory.close();
  await memory.close();
  const calls = [
    () => memory.remember("x"), () => memory.recall("x"), () => memory.update("staging", {}), () => memory.connect("a", "b"), () => memory.reinforce("a"),
    () => memory.forget("a"), () => memory.restore("a"), () => memory.pin("a"), () => memory.neighbors("a"), () => memory.get("a"), () => memory.maintain(),
    () => memory.review(), () => memory.trackFailure({ error: "x", component: "y" }), () => memory.trackProgress({ feature: "x", status: "done" }),
    () => memory.handoff("x"), () => memory.resume(), () => memory.stats(), () => memory.forecast("a"), () => memory.tiers(), () => memory.history("a"),
    () => memory.scopes(), () => memory.records(), () => memory.digest(), () => memory.export(), () => memory.import('{"content": "x"}'), () => memory.reembed(),
  ];
  for (const call of calls) await assert.rejects(call, { name: "EbbtraceError", code: "closed", nextStep: /Open the memory again/ }, String(call));
});

test("calls keep their order, however long each one's embedding takes", async () => {
  const waiting = [];
  const embed = ([text]) => new Promise((resolve) => waiting.push({ text, embed: () => resolve([new Float32Array([text.length, 1])]) }));
  const memory = await open({ store: new MemoryStore(), clock: () => NOW, embedder: { name: "slow", embed } });
  const order = [];
  memory.subscribe((changed) => order.push([changed.revision, changed.operation]));
  const calls = [
    memory.remember("The first waits longest", { id: "first" }),
    memory.remember("A second one about the weather", { id: "second" }),
    memory.connect("first", "second"),
    memory.pin("second"),
    memory.close(),
  ];
  // Both are being embedded before either is stored; the later one is done first.
  while (waiting.length < 2) await new Promise((resolve) => setImmediate(resolve));
  waiting.find(({ text }) => text.startsWith("A second")).embed();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(order, []);
  waiting.find(({ text }) => text.startsWith("The first")).embed();
  const [first, second, link, pinned] = await Promise.all(calls);
  assert.deepEqual([first.id, second.id, link.created, pinned.memory.pinned], ["first", "second", true, true]);
  assert.deepEqual(order, [[1, "remember"], [2, "remember"], [3, "connect"], [4, "pin"]]);
});

test("an import with one bad line takes in nothing, and names the line", async () => {
  const memory = await seeded();
  const lines = (...all) => all.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const whole = { record: "memory", ...(await memory.get("staging")), id: "copy", content: "A copy of another text" };
  for (const [text, why] of [
    [lines({ content: "fine one" }, "{ broken"), /^line 2: not JSON/],
    [lines({ content: "fine one" }, { content: " " }), /^line 2: content is blank/],
    [lines({ content: "fine one" }, { content: "x", importance: 7 }), /^line 2: importance is 7/],
    [lines({ content: "fine one" }, "", { content: "x", tags: "a" }), /^line 3: tags is a text; allowed is a list of texts/],
    [lines({ content: "fine one" }, { content: "x", occurred_at: "noon" }), /^line 2: occurred_at is "noon"/],
    [lines({ content: "fine one" }, { content: "x", colour: "red" }), /^line 2: "colour" is no field/],
    [lines({ content: "fine one" }, whole, { ...whole, id: "copy2", content: 5 }), /^line 3: /],
    [lines({ content: "fine one" }, whole, { ...whole, id: "copy2", content: "" }), /^line 3: /],
    [lines({ format: "ebbtrace", version: 1, records: 2 }, whole), /promises 2: it is not whole/],
  ]) {
    await refused(memory, () => memory.import(text), "bad_import", "text", why);
  }
  await refused(memory, () => memory.import(lines({ format: "ebbtrace", version: 2, records: 0 })), "newer_export", "");
  const taken = await memory.import(lines({ content: "fine one", id: "fine" }, { content: "one that links", id: "links", links: [{ to: "fine" }] }, whole));
  assert.deepEqual([taken.records, taken.memories.map((one) => one.resolution)], [1, ["created", "created"]]);
  const { items } = await memory.neighbors("links");
  assert.ok(items.some((item) => item.memory.id === "fine" && item.relation === "related" && item.outgoing));
});

test("a store that answers a commit with something else is told so, and what it holds is read anew", async () => {
  for (const answer of [undefined, 7, "done", { committed: true }]) {
    const store = new MemoryStore();
    const commit = store.commit.bind(store);
    let answers = [];
    store.commit = async (entry) => {
      const own = await commit(entry);
      return answers.length > 0 ? answers.pop() : own;
    };
    const memory = await open({ store, embedder: null, clock: () => NOW });
    answers = [answer];
    await assert.rejects(memory.remember("The queue is NATS", { id: "queue" }), { name: "EbbtraceError", code: "store_io", message: /answered a commit with/ });
    // It did commit, whatever it said.
    assert.equal((await memory.get("queue")).content, "The queue is NATS");
    await memory.remember("The cache is Redis", { id: "cache" });
    await memory.close();
  }
});

test("an import that is refused has changed nothing, whatever is wrong with it and with the lines before it", async () => {
  const memory = await seeded();
  const lines = (...all) => all.map((line) => `${JSON.stringify(line)}\n`).join("");
  const vector = (...values) => ({ model: "m", values });
  const deep = (depth) => "[".repeat(depth) + "]".repeat(depth);
  const record = (await memory.export()).split("\n")[1];
  for (const [what, why] of [
    [lines({ content: "first", id: "n1" }, { content: "second", id: "n2", links: [{ to: "nowhere" }] }), /^line 2: .*nowhere/],
    [lines({ content: "first alpha", id: "n0" }, { content: "second gamma", id: "n3", links: [{ to: "n3" }] }), /^line 2: it is linked to itself/],
    [lines({ content: "alpha one", embedding: vector(1, 2) }, { content: "beta two", embedding: vector(1, 2, 3) }), /^line 2: its vector has 3 numbers/],
    [lines({ content: "one", id: "n1", scope: "a" }, { content: "two", links: [{ to: "n1" }] }), /^line 2: .*n1/],
    ...[101, 3_000, 50_000].map((depth) => [record.replace('"content"', `"metadata":{"zz":${deep(depth)}},"content"`), /^line 1: it is nested over 100 levels/]),
    [record.replace('"content"', '"metadata":{"\\u005f_proto__":{"a":1}},"content"'), /^line 1: .*"__proto__"/],
  ]) {
    await refused(memory, () => memory.import(what), "bad_import", "text", why);
  }
  await memory.import(lines({ content: "one to link to", id: "to" }, { content: "one that links", id: "from", links: [{ to: "to" }] }));
  assert.deepEqual((await memory.neighbors("to")).items.map(({ memory }) => memory.id), ["from"]);
});

test("reembed without a scope is about the memory's own, and no text of another leaves", async () => {
  const store = new MemoryStore();
  const before = await open({ store, embedder: null });
  await before.remember("Mine: we deploy on Wednesdays", { id: "mine" });
  await before.remember("Theirs: the vault is kept by Ana", { id: "theirs", scope: "another" });
  const sent = [];
  const embed = async (texts) => (sent.push(...texts), texts.map(() => new Float32Array([1, 2])));
  const memory = await open({ store, embedder: { name: "m", embed } });
  assert.equal(await memory.reembed(), 1);
  assert.deepEqual(sent, ["Mine: we deploy on Wednesdays"]);
  assert.equal((await memory.get("mine")).embedding.model, "m");
  assert.equal((await memory.get("theirs", { scope: "another" })).embedding, undefined);
});

test("a store of the caller's own that throws is an error with a code, and a recall answers all the same", async () => {
  const own = new MemoryStore();
  let broken = false;
  const failing = (name) => async (...args) => {
    if (broken === name) throw new Error("the disk is gone");
    return own[name](...args);
  };
  const store = { load: failing("load"), commit: failing("commit"), changesSince: failing("changesSince"), close: failing("close") };
  const memory = await open({ store, embedder: null, clock: () => NOW });
  await memory.remember("The staging database is wiped on Sundays", { id: "staging" });
  broken = "commit";
  const failed = { name: "EbbtraceError", code: "store_io", message: /the store failed while committing: Error: the disk is gone/ };
  await assert.rejects(memory.remember("The queue is NATS"), failed);
  const recalled = await memory.recall("when is staging wiped?");
  assert.equal(recalled.hits[0].memory.id, "staging");
  assert.match(recalled.notices.join(), /not recorded/);
  broken = "changesSince";
  await assert.rejects(memory.stats(), { name: "EbbtraceError", code: "store_io" });
  broken = "load";
  await assert.rejects(open({ store, embedder: null }), { name: "EbbtraceError", code: "store_io" });
  broken = "close";
  await assert.rejects(memory.close(), { name: "EbbtraceError", code: "store_io" });
});

test("a listener that is rejected later ends nothing", async (context) => {
  const told = context.mock.method(console, "error", () => undefined);
  const memory = await seeded();
  memory.subscribe(async () => {
    throw new Error("a fault of the listener's own");
  });
  await memory.remember("The queue is NATS", { id: "queue" });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(told.mock.callCount(), 1);
  assert.equal((await memory.get("queue")).content, "The queue is NATS");
});
