import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import init, { Engine } from "../src/wasm/ebbtrace_wasm.js";
import { conformance, operations } from "./conformance/cases.mjs";
import { mismatch } from "./conformance/pattern.mjs";
import { NO_OPERATIONS, operationLines, skips, topics } from "./support/conformance.mjs";

const at = (path) => readFileSync(new URL(path, import.meta.url));
await init({ module_or_path: at("../dist/ebbtrace.wasm") });
const model = at("../dist/model.bin");

test("every conformance case holds in Node", () => {
  const { count, wrong } = conformance(Engine, model, topics(), skips("node"));
  assert.ok(count >= 90, `only ${count} cases were found`);
  assert.deepEqual(wrong, []);
});

test("law 3: random operations end where the native program ends", { skip: operationLines() ? false : NO_OPERATIONS }, () => {
  const { digests, wrong } = operations(Engine, model, operationLines());
  assert.equal(wrong, undefined);
  assert.ok(digests >= 1);
});

test("patterns refuse what they do not say", () => {
  for (const [pattern, actual] of [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, {}],
    [[1], [1, 2]],
    [{ $about: 0.5 }, 0.500001],
    [{ $between: [0, 1] }, 1.5],
    [{ $count: 2 }, [1]],
    [{ $some: [3] }, [1, 2]],
    [{ $none: 1 }, [1]],
    [{ $contains: "x" }, "hello"],
    [{ $not: 1 }, 1],
    [{ $unheard: 1 }, 1],
  ]) {
    assert.notEqual(mismatch(pattern, actual), undefined, JSON.stringify(pattern));
  }
});
