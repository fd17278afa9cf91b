// I3: storage that is full or blocked is said in words, and what was acknowledged stays.
import assert from "node:assert/strict";
import { test } from "node:test";
import { host } from "./chromium.mjs";

const chromium = host();

test("I3: over the quota a write is refused, what was acknowledged stays, and with space it goes on", async (context) => {
  const tab = await chromium.tab(await chromium.context(context));
  const session = await tab.context().newCDPSession(tab);
  const quota = (quotaSize) => session.send("Storage.overrideQuotaForOrigin", { origin: chromium.origin, ...(quotaSize && { quotaSize }) });
  // Before the first write: the browser keeps for some seconds what it knew of the space.
  await quota(500_000);
  await tab.evaluate(async () => {
    globalThis.memory = await library.open({ embedder: null });
    await memory.remember("Acknowledged before the storage was full", { id: "before" });
  });
  const { told, full } = await tab.evaluate(async () => {
    const told = [];
    for (let number = 0; number < 100; number += 1) {
      // Random words, which no disk can pack into less.
      const words = Array.from(crypto.getRandomValues(new Uint32Array(6_000)), (word) => word.toString(36)).join(" ");
      const { value, ...error } = await outcome(() => memory.remember(`${number} ${words}`.slice(0, 60_000), { id: `big-${number}` }));
      if (!value) return { told, full: error };
      told.push(value.id);
    }
    return { told };
  });
  assert.deepEqual([full?.name, full?.code], ["EbbtraceError", "store_full"], JSON.stringify(full));
  assert.match(full.message, /full/);
  assert.match(full.nextStep, /what was stored before is safe/);
  assert.ok(told.length < 20, `${told.length} of 60 kB fitted into 500 kB`);

  const ids = () => tab.evaluate(async () => (await memory.records()).filter(({ record }) => record === "memory").map(({ id }) => id).sort());
  const kept = ["before", ...told].sort();
  assert.deepEqual(await ids(), kept);
  const found = await tab.evaluate(() => memory.recall("Acknowledged before"));
  assert.equal(found.hits[0].memory.id, "before");
  await tab.reload();
  await tab.waitForFunction(() => globalThis.ready);
  await tab.evaluate(async () => {
    globalThis.memory = await library.open({ embedder: null });
  });
  assert.deepEqual(await ids(), kept);
  await quota();
  await tab.evaluate(() => memory.remember("There is space again", { id: "space" }));
  assert.deepEqual(await ids(), [...kept, "space"].sort());
  assert.deepEqual(tab.faults, []);
});

test("I3: where storage is blocked, as in a page without an origin, it is said, and memory alone works", async (context) => {
  const tab = await chromium.tab(await chromium.context(context));
  await tab.evaluate(() => {
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.src = "/test/browser/page.html";
    document.body.append(frame);
  });
  const frame = await tab.waitForSelector("iframe").then((element) => element.contentFrame());
  await frame.waitForFunction(() => globalThis.ready);
  const told = await frame.evaluate(() => outcome(() => library.open({ embedder: null })));
  assert.deepEqual([told.name, told.code], ["EbbtraceError", "store_open"]);
  assert.match(told.message, /storage is blocked/);
  assert.match(told.nextStep, /storage is allowed/);
  const found = await frame.evaluate(async () => {
    const memory = await library.open({ store: new library.MemoryStore() });
    await memory.remember("Kept as long as the page is open", { id: "page" });
    return (await memory.recall("how long is it kept?")).hits.map((hit) => hit.memory.id);
  });
  assert.deepEqual(found, ["page"]);
});

test("a database that the browser took away is a new one, and is said to be: nothing hangs", async (context) => {
  const tab = await chromium.tab(await chromium.context(context));
  await tab.evaluate(async () => {
    globalThis.memory = await library.open({ embedder: null });
    await memory.remember("Cleared with the site's data", { id: "one" });
  });
  const session = await tab.context().newCDPSession(tab);
  await session.send("Storage.clearDataForOrigin", { origin: chromium.origin, storageTypes: "indexeddb" });
  const kept = await tab.evaluate(() => outcome(async () => (await memory.records()).length));
  assert.ok(kept.value === 0 || kept.name === "EbbtraceError", JSON.stringify(kept));
  const anew = await tab.evaluate(() => outcome(async () => {
    const memory = await library.open({ embedder: null });
    await memory.remember("Begun again", { id: "two" });
    return (await memory.records()).filter(({ record }) => record === "memory").map(({ id }) => id);
  }));
  assert.deepEqual(anew, { value: ["two"] });
});
