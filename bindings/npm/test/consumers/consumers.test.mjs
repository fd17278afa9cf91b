// The packed package in every kind of host: Node with import and require, Vite (dev, build), webpack, a plain page; the
// last three in real Chromium. Each runs twice: the second run finds what the first one left in the default store.
import assert from "node:assert/strict";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, pageOf } from "../support/chromium.mjs";
import { serve } from "../support/server.mjs";
import { installed, node } from "./package.mjs";

/** How large the token table is: a consumer that ships it ships it once. */
const MODEL = 13_662_144;

let consumers;
let browser;
before(async () => {
  [consumers, browser] = await Promise.all([installed(), launch()]);
});
after(async () => {
  await browser?.close();
  await consumers?.remove();
});

function check(result, run, more = {}) {
  const { digest, ...rest } = result;
  assert.match(digest, /^[0-9a-f]{64}$/);
  assert.deepEqual(rest, { before: run === 1 ? 0 : 2, best: "staging", matched: ["staging", "wiped"], tokens: true, foreign: 0, ...more });
}

for (const name of ["node-esm", "node-cjs"]) {
  test(name, async () => {
    const folder = join(consumers.folder, name);
    for (const run of [1, 2]) {
      const told = await node(folder, ["index.js"], { EBBTRACE_FILE: join(consumers.folder, `${name}.log`) });
      check(JSON.parse(told), run, { store: true, error: "a", slim: "slim" });
    }
  });
}

/** Opens the page twice in one profile. */
async function inChromium(url) {
  const context = await browser.newContext();
  try {
    for (const run of [1, 2]) {
      const { page, faults } = await pageOf(context);
      await page.goto(url);
      const result = await page.waitForFunction(() => globalThis.result, undefined, { timeout: 30_000 }).then(
        (found) => found.jsonValue(),
        (error) => assert.fail(`${error.message}\n${faults.join("\n")}`),
      );
      check(result, run);
      assert.deepEqual(faults, []);
      await page.close();
    }
  } finally {
    await context.close();
  }
}

/** Every file under a folder with its size. */
async function files(folder) {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => [name, await stat(join(folder, name))]));
  return sizes.filter(([, told]) => told.isFile()).map(([name, told]) => ({ name, size: told.size }));
}

/** The table and the module are there as files of their own, once, and no script holds them. */
async function shipped(folder) {
  const all = await files(folder);
  assert.deepEqual(all.filter(({ size }) => size === MODEL).length, 1, JSON.stringify(all));
  assert.deepEqual(all.filter(({ name }) => name.endsWith(".wasm")).length, 1, JSON.stringify(all));
  const scripts = all.filter(({ name }) => name.endsWith(".js"));
  assert.ok(scripts.length > 0 && scripts.every(({ size }) => size < 150_000), JSON.stringify(all));
}

test("a plain page with a module script", async () => {
  const server = await serve(consumers.folder);
  try {
    await inChromium(`${server.origin}/page/`);
    // The page asked for the package's files and no others.
    const asked = new Set(server.asked.filter((path) => path.startsWith("/node_modules/")));
    assert.deepEqual([...asked].sort(), ["browser.js", "ebbtrace.wasm", "model.bin"].map((name) => `/node_modules/ebbtrace/dist/${name}`));
  } finally {
    await server.close();
  }
});

// Up to version 7 it bundles packages ahead without the files that they load.
for (const name of ["vite", "vite-7"]) {
  test(`Vite, its development server (${name})`, async () => {
    const { createServer } = await import(name);
    const server = await createServer({
      root: join(consumers.folder, "vite"),
      configFile: false,
      logLevel: "silent",
      server: { host: "127.0.0.1", port: 0 },
    });
    await server.listen();
    try {
      await inChromium(server.resolvedUrls.local[0]);
    } finally {
      await server.close();
      await rm(join(consumers.folder, "vite/node_modules/.vite"), { recursive: true, force: true });
    }
  });
}

test("Vite, a build and its preview", async () => {
  const { build, preview } = await import("vite");
  const common = { root: join(consumers.folder, "vite"), configFile: false, logLevel: "silent" };
  await build({ ...common, build: { outDir: "dist", emptyOutDir: true } });
  await shipped(join(consumers.folder, "vite/dist"));
  const server = await preview({ ...common, preview: { host: "127.0.0.1", port: 0 } });
  try {
    await inChromium(server.resolvedUrls.local[0]);
  } finally {
    await server.close();
  }
});

test("webpack 5", async () => {
  const { default: webpack } = await import("webpack");
  const root = join(consumers.folder, "webpack");
  const compiler = webpack({
    context: root,
    mode: "production",
    entry: "./main.js",
    output: { path: join(root, "dist"), filename: "main.js", publicPath: "auto" },
    performance: false,
  });
  const stats = await new Promise((resolve, reject) => compiler.run((error, stats) => (error ? reject(error) : resolve(stats))));
  await new Promise((resolve) => compiler.close(resolve));
  assert.deepEqual(stats.toJson({ errors: true, warnings: true }).errors.map(({ message }) => message), []);
  assert.deepEqual(stats.toJson({ warnings: true }).warnings.map(({ message }) => message), []);
  await shipped(join(root, "dist"));
  const html = await readFile(join(root, "index.html"));
  await writeFile(join(root, "dist/index.html"), html);
  const server = await serve(join(root, "dist"));
  try {
    await inChromium(`${server.origin}/`);
  } finally {
    await server.close();
  }
});
