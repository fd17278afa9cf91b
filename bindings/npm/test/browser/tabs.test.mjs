// Many tabs on one memory: writes at once, an upgrade beside an open tab, tabs that are killed.
import assert from "node:assert/strict";
import { mkdtemp, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { launch, launchPersistent } from "../support/chromium.mjs";
import { host, tabOf } from "./chromium.mjs";

const chromium = host();

/** Opens the default memory in a tab; its ids come to `told` once each is acknowledged. */
const opened = (tab) => tab.evaluate(async () => {
  globalThis.memory = await library.open({ embedder: null });
  globalThis.changes = [];
  memory.subscribe((changed) => changes.push(changed));
});

const idsIn = (tab) => tab.evaluate(async () => (await memory.records()).filter(({ record }) => record === "memory").map(({ id }) => id).sort());

const writes = (tab, name, count) => tab.evaluate(async ([name, count]) => {
  const told = [];
  for (let number = 0; number < count; number += 1) {
    const { id } = await memory.remember(`${name} writes ${number} in words of its own`, { id: `${name}-${number}` });
    told.push(id);
  }
  return told;
}, [name, count]);

test("I1: two tabs write at once; nothing is lost, and each is told what the other did", async (context) => {
  const profile = await chromium.context(context);
  const tabs = [await chromium.tab(profile), await chromium.tab(profile)];
  await Promise.all(tabs.map(opened));
  const told = (await Promise.all(tabs.map((tab, place) => writes(tab, `tab${place}`, 25)))).flat().sort();
  assert.equal(told.length, 50);
  for (const tab of tabs) {
    // Without a call of its own: by the other's messages.
    await tab.waitForFunction(() => changes.at(-1)?.revision === 50);
    const [here, elsewhere] = await tab.evaluate(() => [false, true].map((elsewhere) => changes.filter((change) => change.elsewhere === elsewhere).length));
    assert.deepEqual([here, elsewhere], [25, 25]);
    assert.deepEqual(await tab.evaluate(() => changes.map(({ revision }) => revision)), Array.from({ length: 50 }, (_, place) => place + 1));
    assert.deepEqual(await idsIn(tab), told);
    assert.deepEqual(tab.faults, []);
  }
  const digests = await Promise.all(tabs.map((tab) => tab.evaluate(() => memory.digest())));
  assert.equal(digests[0], digests[1]);
});

test("A5: eight tabs with 50 writes each; all read all of them", async (context) => {
  const profile = await chromium.context(context);
  const tabs = await Promise.all(Array.from({ length: 8 }, () => chromium.tab(profile)));
  await Promise.all(tabs.map(opened));
  const told = (await Promise.all(tabs.map((tab, place) => writes(tab, `tab${place}`, 50)))).flat().sort();
  assert.equal(new Set(told).size, 400);
  for (const tab of tabs) assert.deepEqual(await idsIn(tab), told);
  const fresh = await chromium.tab(profile);
  await opened(fresh);
  assert.deepEqual(await idsIn(fresh), told);
  assert.equal(await fresh.evaluate(() => memory.digest()), await tabs[0].evaluate(() => memory.digest()));
});

test("I2: a tab with the older version lets go of the database, and says so at its next call", async (context) => {
  const profile = await chromium.context(context);
  const [old, next] = [await chromium.tab(profile), await chromium.tab(profile)];
  await opened(old);
  await old.evaluate(() => memory.remember("Written before the upgrade", { id: "before" }));
  const after = await next.evaluate(async () => {
    const memory = await library.open({ embedder: null, store: new library.IndexedDbStore({ indexedDB: later }) });
    await memory.remember("Written by the later version", { id: "after" });
    return (await memory.records()).filter(({ record }) => record === "memory").map(({ id }) => id).sort();
  });
  assert.deepEqual(after, ["after", "before"]);
  for (const call of ["remember", "recall"]) {
    const told = await old.evaluate((call) => outcome(() => memory[call]("Anything")), call);
    assert.deepEqual([told.name, told.code, told.nextStep], ["EbbtraceError", "store_newer", "Reload this tab."]);
  }
  // Reloaded with the older version still: a clear refusal, and nothing is written.
  await old.reload();
  await old.waitForFunction(() => globalThis.ready);
  const told = await old.evaluate(() => outcome(() => library.open({ embedder: null })));
  assert.deepEqual([told.code, /newer version than 1/.test(told.message)], ["store_newer", true]);
});

test("I2: an upgrade that a tab blocks ends with an error, and succeeds once the tab lets go", async (context) => {
  const profile = await chromium.context(context);
  const [old, next] = [await chromium.tab(profile), await chromium.tab(profile)];
  await opened(old);
  await old.evaluate(async () => {
    await memory.remember("Written before the upgrade", { id: "before" });
    await memory.close();
    // A connection that does not listen, as of a program that is not ours.
    globalThis.stubborn = await new Promise((resolve) => {
      indexedDB.open("ebbtrace").onsuccess = ({ target }) => resolve(target.result);
    });
  });
  const upgrade = () => next.evaluate(() => outcome(async () => {
    globalThis.memory = await library.open({ embedder: null, store: new library.IndexedDbStore({ indexedDB: later }) });
    return (await memory.get("before")).content;
  }));
  const blocked = await upgrade();
  assert.deepEqual([blocked.name, blocked.code], ["EbbtraceError", "store_blocked"]);
  assert.match(blocked.nextStep, /Close the other tabs/);
  await old.evaluate(() => stubborn.close());
  assert.deepEqual(await upgrade(), { value: "Written before the upgrade" });
});

/** A tab that writes without end; what it has told of, and how to wait for so many. */
async function endless(tab, name) {
  const told = [];
  let wake = () => {};
  await tab.exposeBinding("acknowledged", (_, id) => {
    told.push(id);
    wake();
  });
  await tab.evaluate(async (name) => {
    globalThis.memory = await library.open({ embedder: null });
    void (async () => {
      for (let number = 0; ; number += 1) {
        const { id } = await memory.remember(`${name} writes ${number} in words of its own`, { id: `${name}-${number}` });
        void acknowledged(id);
      }
    })();
  }, name);
  const until = async (count) => {
    while (told.length < count) await new Promise((resolve) => (wake = resolve));
  };
  return { told, until };
}

/** Every acknowledged write is there, in order, with at most the one that was under way. */
function complete(kept, told, name) {
  const mine = kept.filter((id) => id.startsWith(`${name}-`)).length;
  assert.deepEqual(kept.filter((id) => id.startsWith(`${name}-`)), Array.from({ length: mine }, (_, number) => `${name}-${number}`).sort());
  assert.ok(mine >= told.length, `${told.length} were acknowledged, ${mine} are there`);
  for (const id of told) assert.ok(kept.includes(id), id);
}

test("A6: tabs that are closed or whose process is killed in the middle of commits lose nothing", async (context) => {
  const browser = await launch();
  context.after(() => browser.close());
  const profile = await browser.newContext();
  const session = await browser.newBrowserCDPSession();
  const ends = {
    closed: (tab) => tab.close(),
    async killed(tab) {
      const crashed = tab.waitForEvent("crash");
      // The tab is the only one of its browser; beside its process there may be a spare one.
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      for (const { type, id } of processInfo) if (type === "renderer") process.kill(id, "SIGKILL");
      await crashed;
      await tab.close();
    },
  };
  const ended = [];
  for (const [how, end] of Object.entries(ends)) {
    for (let round = 0; round < 3; round += 1) {
      const name = `${how}${round}`;
      const tab = await tabOf(profile, chromium.origin);
      const writer = await endless(tab, name);
      await writer.until(5 + 3 * round);
      await end(tab);
      ended.push([name, writer.told]);

      const fresh = await tabOf(profile, chromium.origin);
      await opened(fresh);
      const kept = await idsIn(fresh);
      for (const [name, told] of ended) complete(kept, told, name);
      // And it goes on.
      await fresh.evaluate((name) => memory.remember(`Written after ${name} ended`, { id: `after ${name}` }), name);
      await fresh.close();
    }
  }
});

test("A6: the whole browser is killed in the middle of commits, and nothing acknowledged is lost", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "ebbtrace-profile-"));
  context.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const first = await launchPersistent(folder);
  const writer = await endless(await tabOf(first, chromium.origin), "gone");
  await writer.until(20);
  const browser = Number(/-(\d+)$/.exec(await readlink(join(folder, "SingletonLock")))[1]);
  const ended = new Promise((resolve) => first.once("close", resolve));
  process.kill(browser, "SIGKILL");
  await ended;
  await rm(join(folder, "SingletonLock"), { force: true });

  const second = await launchPersistent(folder);
  context.after(() => second.close());
  const tab = await tabOf(second, chromium.origin);
  await opened(tab);
  complete(await idsIn(tab), writer.told, "gone");
  await second.close();
});
