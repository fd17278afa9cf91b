// The same cases and the same operations in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_OPERATIONS, operationLines, skips, topics } from "../support/conformance.mjs";
import { host } from "./chromium.mjs";

const browser = host();

async function inPage(context, what, ...given) {
  const page = await browser.tab(await browser.context(context));
  return page.evaluate(async ([what, given]) => {
    const { default: init, Engine } = await import("/src/wasm/ebbtrace_wasm.js");
    const { [what]: run } = await import("/test/conformance/cases.mjs");
    await init({ module_or_path: "/dist/ebbtrace.wasm" });
    const model = new Uint8Array(await (await fetch("/dist/model.bin")).arrayBuffer());
    return run(Engine, model, ...given);
  }, [what, given]);
}

test("every conformance case holds in Chromium", async (context) => {
  const { count, wrong } = await inPage(context, "conformance", topics(), skips("chromium"));
  assert.ok(count >= 90, `only ${count} cases were found`);
  assert.deepEqual(wrong, []);
});

test("law 3: random operations end where the native program ends", { skip: operationLines() ? false : NO_OPERATIONS }, async (context) => {
  const { digests, wrong } = await inPage(context, "operations", operationLines());
  assert.equal(wrong, undefined);
  assert.ok(digests >= 1);
});
