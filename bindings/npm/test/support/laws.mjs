// What holds for every store: the same checks run in Node and in a page, over any store. `place` gives another handle on
// the same place with `store()`, and with `texts()` everything that is kept there as one text.

const DAY = 86_400_000;
export const NOW = Date.UTC(2026, 0, 1);
const CANARY = "the aubergine canary sings";

function equal(actual, expected, what) {
  const [left, right] = [actual, expected].map((value) => JSON.stringify(value));
  if (left !== right) throw new Error(`${what}: ${left}, expected ${right}`);
}

async function code(call) {
  try {
    await call();
    return "accepted";
  } catch (error) {
    return error.code ?? String(error);
  }
}

/** Every sort of change, and in the end a memory deleted by a human's decision. */
async function lived(open, store) {
  let now = NOW;
  const memory = await open({ store, embedder: null, clock: () => now });
  await memory.remember("The staging database is wiped on Sundays", { id: "staging", session: "monday", tags: ["ops"], metadata: { a: [1, null, "é"] } });
  await memory.remember("The deadline is 15 October", { id: "first", session: "monday" });
  await memory.remember("The deadline is 16 October", { id: "second", session: "monday" });
  await memory.connect("staging", "second", { relation: "before", weight: 2 });
  await memory.remember(CANARY, { id: "canary", category: "failure", importance: 0.1 });
  await memory.remember("Notes in another room", { id: "other", scope: "room" });
  await memory.update("staging", { content: "The staging database is wiped on Mondays" });
  await memory.pin("staging");
  await memory.forget("first", { reason: "it passed" });
  await memory.trackFailure({ error: "pool timed out", component: "db" });
  await memory.handoff({ summary: "half done", next_steps: ["write the tests"] });
  now += DAY;
  await memory.recall("staging database");
  now += 400 * DAY;
  await memory.maintain();
  return memory;
}

async function approved(memory) {
  const { items } = await memory.review({ limit: 100 });
  const item = items.find((item) => item.memory.id === "canary");
  return memory.decide(item, "approve");
}

/** The laws by name. */
export const LAWS = {
  async "what is opened again equals what lives"({ open }, place) {
    const memory = await lived(open, place.store());
    for (const decide of [() => undefined, () => approved(memory)]) {
      await decide();
      const again = await open({ store: place.store(), embedder: null, clock: () => NOW });
      equal(await again.digest(), await memory.digest(), "digest");
      equal(await again.records(), await memory.records(), "records");
      equal(await again.export({ scope: "room" }), await memory.export({ scope: "room" }), "export of a scope");
    }
    equal((await memory.get("staging")).metadata, { a: [1, null, "é"] }, "metadata");
  },

  async "a conflict is decided again, and nothing is lost"({ open }, place) {
    const stores = [place.store(), place.store()];
    const [one, two] = await Promise.all(stores.map((store) => open({ store, embedder: null, clock: () => NOW })));
    const words = ["apple", "brick", "cloud", "drum", "eagle", "ferry", "glove", "honey"];
    await Promise.all(words.map((word, place) => (place % 2 ? one : two).remember(`A text about ${word}`, { id: word })));
    // The same fact by both at once is one memory, counted.
    const same = await Promise.all([one, two].map((memory) => memory.remember("We bill by the outcome, not by the hour")));
    equal(same.map(({ resolution }) => resolution).sort(), ["created", "reinforced"], "resolutions");
    for (const memory of [one, two, await open({ store: place.store(), embedder: null, clock: () => NOW })]) {
      equal((await memory.stats()).memories, 9, "memories");
      equal(await memory.digest(), await one.digest(), "digest");
    }
    const store = place.store();
    const revision = await store.load(() => {});
    const before = await one.digest();
    for (const late of [revision, revision - 1, revision + 2]) {
      const changes = [{ change: "put", record: "scope", scope: "late", maintained_at: 1 }];
      equal(await store.commit({ revision: late, at: NOW, operation: "late", changes }), "conflict", `a commit of revision ${late} at ${revision}`);
    }
    equal(await one.digest(), before, "digest after conflicts");
  },

  async "the journal tells what came after a revision"({ open }, place) {
    const store = place.store();
    const memory = await open({ store, embedder: null, clock: () => NOW });
    const reader = place.store();
    const start = await reader.load(() => {});
    equal([start, await reader.changesSince(start)], [0, []], "an empty store");
    await memory.remember("One", { id: "one" });
    await memory.remember("Another thing", { id: "two" });
    await memory.pin("one");
    const told = async (since) => (await reader.changesSince(since))?.map(({ revision, at, operation }) => [revision, at, operation]);
    equal(await told(1), [[2, NOW, "remember"], [3, NOW, "pin"]], "after 1");
    equal(await told(3), [], "after 3");
    equal(await told(4) ?? null, null, "after a revision that is not there");
    // What was told is the caller's own: changing it changes nothing that is kept.
    for (const entry of await reader.changesSince(1)) entry.changes.length = 0;
    equal((await reader.changesSince(2))?.map(({ changes }) => changes.length > 0), [true], "changes");
  },

  async "what is deleted leaves no word behind"({ open }, place) {
    const memory = await lived(open, place.store());
    const other = await open({ store: place.store(), embedder: null, clock: () => NOW + 402 * DAY });
    equal((await other.get("canary")).content, CANARY, "before");
    equal((await place.texts()).includes("canary"), true, "kept before");
    equal((await approved(memory)).deleted, ["canary"], "deleted");
    equal((await place.texts()).includes("canary"), false, "kept after");
    equal((await memory.export()).includes("canary"), false, "export");
    // Another one, behind by that much, learns of it.
    equal(await code(() => other.get("canary")), "not_found", "elsewhere");
    equal(await other.digest(), await memory.digest(), "digest elsewhere");
  },

  async "a refusal writes nothing, and a closed store says so"({ open }, place) {
    const store = place.store();
    const memory = await open({ store, embedder: null, clock: () => NOW });
    await memory.remember("One", { id: "one" });
    const revision = await place.store().load(() => {});
    equal(await code(() => memory.remember(" ")), "blank", "blank");
    equal(await code(() => memory.connect("one", "none")), "not_found", "no such memory");
    equal(await place.store().load(() => {}), revision, "revision");
    await memory.close();
    equal(await code(() => memory.stats()), "closed", "closed");
    equal((await (await open({ store: place.store(), embedder: null })).get("one")).content, "One", "opened again");
  },
};
