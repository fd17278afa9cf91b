// D6 and H1: the native program and this package, in Node and in Chromium, give the same answers and take each other's
// exports. EBBTRACE_BIN names the program: `cargo build` leaves it in target/debug/ebbtrace.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { MemoryStore, open } from "../../dist/node.js";
import { host } from "./chromium.mjs";

const BIN = process.env.EBBTRACE_BIN;
const skip = BIN ? false : "EBBTRACE_BIN names no native program";
const chromium = host();
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "ebbtrace-native-"));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Runs the program over a store of its own; what it printed. */
function native(db, at, ...args) {
  const env = { PATH: process.env.PATH, HOME: folder };
  const common = ["--db", join(folder, db), "--now", new Date(at).toISOString()];
  return execFileSync(BIN, [args[0], ...common, ...args.slice(1)], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** What is remembered, at the hour of its place, and how the command line says it. */
const REMEMBERED = [
  { content: "The staging database is wiped on Sundays", id: "staging", kind: "decision", tags: ["ops"] },
  { content: "We bill by the outcome, not by the hour", id: "pricing", kind: "decision", importance: 0.9, pinned: true },
  { content: "The deadline is 15 October", id: "deadline-a", session: "monday" },
  { content: "The deadline is 16 October", id: "deadline-b", session: "monday" },
  { content: "API配置放在环境变量里，不要提交到仓库", id: "api", author: "Lin" },
  { content: "서버에서 로그를 수집하여 대시보드에 표시합니다", id: "server" },
  { content: "Deploys failed with ERR_POOL_TIMEOUT when max_connections was 20", id: "pool", category: "failure", links: [{ to: "staging", relation: "about", weight: 2 }] },
  { content: "The staging database is wiped on Sundays", id: undefined },
  { content: "Kaffee gibt es im dritten Stock, neben dem Aufzug", id: "kaffee", metadata: { floor: 3, near: ["lift"] } },
  { content: "Ann works at Google" },
  { content: "Ann left Google and works at Mozilla now" },
  { content: "The rate limit is 300 requests a minute" },
  { content: "The rate limit is 500 requests a minute" },
];
const ASKED = [
  "when is staging wiped?", "16 October", "how do we bill?", "环境变量", "대시보드", "ERR_POOL_TIMEOUT", "Aufzug", "what did Lin say about configuration?",
  "quantum chromodynamics", "database connections",
];

function flags(memory) {
  const all = ["--kind", memory.kind, "--id", memory.id, "--category", memory.category, "--importance", memory.importance, "--session", memory.session, "--author", memory.author];
  const told = [];
  for (let place = 0; place < all.length; place += 2) if (all[place + 1] !== undefined) told.push(all[place], String(all[place + 1]));
  for (const tag of memory.tags ?? []) told.push("--tag", tag);
  if (memory.metadata) told.push("--metadata", JSON.stringify(memory.metadata));
  for (const { to, relation, weight } of memory.links ?? []) told.push("--link", `${to}:${relation}:${weight}`);
  if (memory.pinned) told.push("--pin");
  return told;
}

/** Without the ids that are made up anew each time. */
const withoutIds = (value) => JSON.parse(JSON.stringify(value ?? null).replaceAll(/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, "made-up"));

const told = ({ resolution, reason, other, similarity, links, recall_count }) => ({ resolution, reason, other, similarity, links, recall_count });
const found = ({ hits, archived, notices }) => ({
  hits: hits.map(({ memory, score, matched, path, tier, retention, age_days }) => [memory.id, memory.content, memory.recall_count, score, matched, path, tier, retention, age_days]),
  archived,
  notices,
});

/** The same session in this package: what each call answered. It runs in Node and, as text, in a page. */
async function session(open, store, remembered, asked, start) {
  let now = start;
  const memory = await open({ store, clock: () => now });
  const answers = [];
  for (const input of remembered) {
    answers.push(await memory.remember({ ...input, client: "ebbtrace-cli" }));
    now += 3_600_000;
  }
  for (const query of asked) {
    now += 86_400_000;
    answers.push(await memory.recall({ query }));
  }
  return { answers, exported: await memory.export() };
}

const answered = (answers) => withoutIds(answers.map((answer) => ("hits" in answer ? found(answer) : told(answer))));
/** The records of an export. */
const recordsOf = (exported) => exported.trim().split("\n").map((line) => JSON.parse(line));

test("D6: the native program, Node and Chromium give the same answers", { skip }, async (context) => {
  let now = START;
  const answers = [];
  for (const memory of REMEMBERED) {
    answers.push(JSON.parse(native("same.db", now, "remember", "--json", ...flags(memory), memory.content)));
    now += 3_600_000;
  }
  for (const query of ASKED) {
    now += DAY;
    answers.push(JSON.parse(native("same.db", now, "recall", "--json", query)));
  }
  const expected = answered(answers);
  // They are answers: the fact that was told twice is counted, and what was asked for is found.
  assert.deepEqual(expected.slice(7, REMEMBERED.length).map(({ resolution }) => resolution), ["reinforced", "created", "created", "replaced", "created", "replaced"]);
  assert.deepEqual(ASKED.map((_, place) => expected[REMEMBERED.length + place].hits[0]?.[0]).slice(0, 7), ["staging", "deadline-b", "pricing", "api", "server", "pool", "kaffee"]);

  const node = await session(open, new MemoryStore(), REMEMBERED, ASKED, START);
  assert.deepEqual(answered(node.answers), expected);

  const tab = await chromium.tab(await chromium.context(context));
  const page = await tab.evaluate(
    ([text, ...rest]) => new Function(`return ${text}`)()(library.open, undefined, ...rest),
    [session.toString(), REMEMBERED, ASKED, START],
  );
  assert.deepEqual(answered(page.answers), expected);
  const kept = withoutIds(recordsOf(native("same.db", now, "export", "-o", "-")));
  for (const { exported } of [node, page]) assert.deepEqual(withoutIds(recordsOf(exported)), kept);
});

test("H1: an export of the native program comes in and goes back equal, with every kind of record", { skip }, async (context) => {
  let now = START;
  const run = (...args) => native("whole.db", now, ...args);
  for (const memory of REMEMBERED) run("remember", ...flags(memory), memory.content);
  run("remember", "--category", "failure", "--importance", "0.1", "--id", "faint", "Something faint that nobody uses");
  run("remember", "--scope", "room", "--id", "other", "A note in another room");
  run("update", "kaffee", "--content", "Kaffee gibt es im vierten Stock, neben dem Aufzug");
  run("track-failure", "pool timed out", "--component", "db");
  run("track-progress", "login", "--status", "in_progress", "--completion", "40");
  run("handoff", "Login is half done", "--next", "write the tests");
  run("forget", "server");
  run("recall", "deadline");
  now += 300 * DAY;
  run("maintain");
  const exported = run("export", "-o", "-");
  const [, ...records] = recordsOf(exported);
  const kinds = new Set(records.map(({ record, state }) => (state ? `${record} ${state}` : record)));
  for (const kind of ["memory active", "memory superseded", "memory archived", "memory proposed", "edge", "proposal", "scope"]) assert.ok(kinds.has(kind), `${kind} is not among ${[...kinds]}`);

  const memory = await open({ store: new MemoryStore(), embedder: null });
  assert.equal((await memory.import(exported)).records, records.length);
  // Line by line the same; a weight of one is written 1.0 there and 1 here.
  assert.deepEqual(recordsOf(await memory.export()), recordsOf(exported));
  assert.equal((await memory.import(exported)).records, 0);

  const tab = await chromium.tab(await chromium.context(context));
  const back = await tab.evaluate(async (exported) => {
    const memory = await library.open();
    await memory.import(exported);
    const again = await library.open();
    return [await memory.export(), await again.export(), await again.digest()];
  }, exported);
  assert.deepEqual(back, [await memory.export(), await memory.export(), await memory.digest()]);

  await writeFile(join(folder, "back.jsonl"), back[1]);
  native("back.db", now, "import", join(folder, "back.jsonl"));
  assert.equal(native("back.db", now, "export", "-o", "-"), exported);
});
