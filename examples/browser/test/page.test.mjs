// Drives the real page, with the real package, in headless Chromium: `npm test`.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";

const ARGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"];
let browser;
let served;

before(async () => {
  served = await serve();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS });
});
after(async () => {
  await browser?.close();
  served?.server.close();
});

/** A fresh profile with the page open in it; a fault of the page's own fails the test. */
async function opened(run) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  try {
    await page.goto(served.address);
    await ready(page);
    await run(page, context);
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
  }
}

const ready = (page) => page.waitForSelector("body[data-ready]");
/** Calls the page's own client: what a test compares is what the page has. */
const client = (page, method, ...args) => page.evaluate(([method, args]) => globalThis.inspector.client[method](...args), [method, args]);

async function remember(page, content, { pinned = false, kind } = {}) {
  await page.click("#tab-remember");
  await page.fill("#content", content);
  if (kind) await page.fill("[name=kind]", kind);
  if (pinned) await page.check("[name=pinned]");
  await page.click("#remember-button");
  await page.locator("#detail .text", { hasText: content }).waitFor();
}

async function recall(page, query) {
  await page.click("#tab-recall");
  await page.fill("#query", query);
  await page.click("#recall-button");
  await page.waitForSelector("#results .summary");
}

async function sample(page) {
  await page.click(".welcome .sample");
  await page.waitForSelector("#graph[data-arranged]");
}

async function look(page, days) {
  await page.click(`[data-days="${days}"]`);
  await page.waitForSelector(`#ahead[data-shown="${days}"]`);
}

const figures = async (page) => Object.fromEntries(await Promise.all(["hot", "warm", "cold", "frozen"].map(async (tier) => [tier, Number.parseInt(await page.textContent(`#count-${tier}`), 10)])));

test("what is remembered is recalled, with the reasons", () =>
  opened(async (page) => {
    await remember(page, "We bill by the outcome, not by the hour", { kind: "decision" });
    await remember(page, "The staging database is wiped on Sundays");
    await recall(page, "how do we bill?");
    const hit = page.locator(".hit").first();
    assert.equal(await hit.locator(".content").textContent(), "We bill by the outcome, not by the hour");
    assert.equal(await hit.locator(".badge").textContent(), "hot");
    assert.match(await hit.locator(".hit-head .quiet").textContent(), /^decision · just now$/);
    assert.deepEqual(await hit.locator(".chip").allTextContents(), ["bill"]);
    assert.deepEqual(await hit.locator("mark").allTextContents(), ["bill"]);
    const parts = await hit.locator(".parts > div").evaluateAll((rows) => rows.map((row) => [row.querySelector("dt").textContent, Number(row.querySelector(".value").textContent)]));
    assert.ok(parts.some(([name]) => name === "words"));
    // The parts sum to the score, but for those too small to be told and for rounding.
    const total = Number(await hit.locator(".total").textContent());
    const sum = parts.reduce((sum, [, value]) => sum + value, 0);
    assert.ok(Math.abs(total - sum) < 0.05, `${total} and ${sum}`);
  }));

test("a contradiction is kept as history, and shown", () =>
  opened(async (page) => {
    await remember(page, "The deadline is 15 October");
    await remember(page, "The deadline is 16 October");
    assert.deepEqual(await page.locator(".history p").allTextContents(), ["The deadline is 16 October", "The deadline is 15 October"]);
    assert.equal(await page.textContent("#count-superseded"), "1");
  }));

test("pin, reinforce, connect and forget from the details", () =>
  opened(async (page) => {
    await sample(page);
    await page.click("#tab-list");
    await page.click('.row[data-id="sample:logo"]');
    await page.locator("#detail .text", { hasText: "The logo may become green" }).waitFor();
    await page.click("#detail .actions >> text=Pin");
    await page.locator("#detail .badge.pinned").waitFor();
    assert.equal((await client(page, "get", "sample:logo")).pinned, true);
    await page.click("#detail .actions >> text=Reinforce");
    await page.locator(".note", { hasText: "Its clock starts anew." }).waitFor();
    assert.equal((await client(page, "get", "sample:logo")).recall_count, 1);
    await page.click("#detail summary");
    await page.selectOption("#detail [name=to]", "sample:retro");
    await page.fill("#detail [name=relation]", "agreed-in");
    await page.click("#detail form button");
    await page.locator("#detail .links small", { hasText: "→ agreed-in" }).waitFor();
    await page.click('.row[data-id="sample:budget"]');
    await page.locator("#detail .text", { hasText: "cloud costs" }).waitFor();
    await page.click("#detail .actions >> text=Forget");
    await page.locator("#detail .actions >> text=Bring back").waitFor();
    assert.equal((await client(page, "get", "sample:budget")).state, "archived");
  }));

test("a reload keeps the memory, with a network and without", () =>
  opened(async (page, context) => {
    await remember(page, "Marta prefers short summaries");
    const before = await client(page, "digest");
    await page.reload();
    await ready(page);
    assert.equal(await client(page, "digest"), before);
    await page.waitForSelector("body[data-offline]");
    await context.setOffline(true);
    await page.reload();
    await ready(page);
    assert.equal(await client(page, "digest"), before);
    // Found by its meaning too: the token table came from the cache.
    await recall(page, "what does Marta like?");
    assert.equal(await page.locator(".hit .content").first().textContent(), "Marta prefers short summaries");
    assert.ok((await page.locator(".parts dt").allTextContents()).includes("meaning"));
    await context.setOffline(false);
  }));

test("a year ahead memories have faded, back today they have not, and nothing was written", () =>
  opened(async (page) => {
    await sample(page);
    const today = await figures(page);
    const before = await client(page, "digest");
    assert.equal(today.hot + today.warm + today.cold + today.frozen, 25);
    assert.ok(today.hot > 5);
    await look(page, 365);
    // One is pinned; all else is unused for a year, and what it was linked to as well.
    assert.deepEqual(await figures(page), { hot: 1, warm: 0, cold: 0, frozen: 24 });
    assert.equal(await page.locator("#maintain").isDisabled(), true);
    await recall(page, "what does Marta want from the weekly report?");
    assert.match(await page.textContent("#results .summary"), /Only looked/);
    assert.equal(await page.locator(".hit .badge").first().textContent(), "frozen");
    await assert.rejects(client(page, "remember", { content: "from the future" }), /nothing is written/);
    assert.equal(await client(page, "digest"), before);
    await page.click("#back");
    await page.waitForSelector('#ahead[data-shown="0"]');
    assert.deepEqual(await figures(page), today);
    assert.equal(await client(page, "digest"), before);
    // The keyboard moves it by days.
    await page.focus("#ahead");
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowRight");
    await page.waitForSelector('#ahead[data-shown="3"]');
    assert.match(await page.textContent("#ahead-told"), /^In 3 days/);
  }));

test("a click on approve deletes, one on keep keeps, one on pin pins", () =>
  opened(async (page) => {
    await sample(page);
    await page.click("#tab-review");
    await page.locator(".proposal").nth(3).waitFor();
    const ids = await page.locator(".proposal").evaluateAll((items) => items.map((item) => item.dataset.id).sort());
    assert.deepEqual(ids, ["sample:logo", "sample:office", "sample:tls", "sample:wifi"]);
    const decided = async (id, button) => {
      await page.click(`.proposal[data-id="${id}"] .actions >> text=${button}`);
      await page.locator(`.proposal[data-id="${id}"]`).waitFor({ state: "detached" });
    };
    await decided("sample:wifi", "Delete");
    await decided("sample:logo", "Keep");
    await decided("sample:office", "Pin");
    await assert.rejects(client(page, "get", "sample:wifi"), /sample:wifi/);
    assert.equal((await client(page, "exportText")).includes("Wi-Fi"), false);
    assert.equal((await client(page, "get", "sample:logo")).state, "active");
    assert.equal((await client(page, "get", "sample:office")).pinned, true);
    assert.equal(await page.textContent("#review-count"), "1");
  }));

test("an export taken into a fresh profile is equal", async () => {
  let text;
  let digest;
  await opened(async (page) => {
    await sample(page);
    await remember(page, "한국어로 기억하기: 배포는 수요일");
    digest = await client(page, "digest");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export")]);
    assert.match(download.suggestedFilename(), /^ebbtrace-\d{4}-\d\d-\d\d\.jsonl$/);
    text = await readFile(await download.path());
  });
  await opened(async (page) => {
    const file = { name: "half.jsonl", mimeType: "text/plain", buffer: text.subarray(0, text.length / 2) };
    await page.setInputFiles("#import-file", file);
    await page.locator(".note.error").waitFor();
    assert.equal((await client(page, "stats")).memories, 0);
    await page.setInputFiles("#import-file", { ...file, name: "whole.jsonl", buffer: text });
    await page.locator(".note", { hasText: "whole.jsonl" }).waitFor();
    assert.equal(await client(page, "digest"), digest);
  });
});

test("stored markup stays text, wherever it is shown", () =>
  opened(async (page) => {
    const evil = '<img src=x onerror="globalThis.stolen = 1"><script>globalThis.stolen = 2</script>';
    const input = { id: "evil:1", content: evil, author: evil, tags: [evil.slice(0, 60)], metadata: { [evil]: evil } };
    await client(page, "remember", input);
    await client(page, "remember", { id: "evil:2", content: `${evil} again`, links: [{ to: "evil:1", relation: "about" }] });
    await recall(page, "img onerror stolen");
    await page.locator(".hit .content").first().click();
    await page.locator("#detail .text", { hasText: evil.slice(0, 40) }).waitFor();
    await page.click("#tab-list");
    await page.locator(".row", { hasText: "<img" }).first().waitFor();
    assert.equal(await page.evaluate(() => globalThis.stolen), undefined);
    assert.equal(await page.locator('img[src="x"]').count(), 0);
    assert.equal(await page.locator("body script").count(), 0);
  }));

test("two tabs see each other's memories", () =>
  opened(async (page, context) => {
    const other = await context.newPage();
    await other.goto(served.address);
    await ready(other);
    await remember(page, "Told in the first tab");
    await other.locator("#stats div", { hasText: "memory" }).filter({ hasText: /^1memory$/ }).waitFor();
  }));

test("at phone width nothing is wider than the screen", () =>
  opened(async (page) => {
    await page.setViewportSize({ width: 375, height: 740 });
    await sample(page);
    for (const tab of ["recall", "remember", "review", "list"]) {
      await page.click(`#tab-${tab}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 375, `${tab}: ${wide}`);
    }
  }));

test("every field and button has a name", () =>
  opened(async (page) => {
    await sample(page);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, textarea")]
        .filter((field) => !(field.textContent.trim() || field.ariaLabel || field.labels?.length))
        .map((field) => field.outerHTML));
    assert.deepEqual(nameless, []);
  }));
