// Opens the page over a store of many memories, and prints every task that held the page up for more than 50 ms, from the
// first byte until the graph stands: responsive.mjs EXPORT, where EXPORT is what `ebbtrace export` writes.
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";

const [exported] = process.argv.slice(2);
if (!exported) {
  console.error("usage: node bench/responsive.mjs EXPORT.jsonl");
  process.exit(2);
}
const served = await serve();
const args = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
try {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(served.address);
  await page.waitForSelector("body[data-ready]");
  await page.setInputFiles("#import-file", exported);
  await page.locator(".note").waitFor({ timeout: 120_000 });
  await page.addInitScript(() => {
    globalThis.tasks = [];
    new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries())).observe({ type: "longtask", buffered: true });
    globalThis.frames = [];
    new PerformanceObserver((list) => globalThis.frames.push(...list.getEntries())).observe({ type: "long-animation-frame", buffered: true });
  });
  for (let time = 1; time <= 5; time += 1) {
    const started = performance.now();
    await page.reload();
    await page.waitForSelector("#graph[data-arranged].placed", { timeout: 120_000 });
    const stands = performance.now() - started;
    // What the last frames bring.
    await page.waitForTimeout(1_500);
    const tasks = await page.evaluate(() => globalThis.tasks.map(({ startTime, duration }) => `${duration.toFixed(0)} ms at ${startTime.toFixed(0)}`));
    console.log(`${time}: the graph stands after ${stands.toFixed(0)} ms; tasks over 50 ms: ${tasks.join(", ") || "none"}`);
    if (process.env.FRAMES) {
      const frames = await page.evaluate(() => globalThis.frames.map((frame) => ({ at: frame.startTime, ms: frame.duration, render: frame.renderStart - frame.startTime, scripts: frame.scripts.map(({ invoker, sourceFunctionName, sourceCharPosition, duration }) => [invoker, sourceFunctionName, sourceCharPosition, duration]) })));
      console.log(JSON.stringify(frames, undefined, 1));
    }
  }
} finally {
  await browser.close();
  served.server.close();
}
