// The conformance cases against the module, and random operations with the digests that all hosts must come to. Plain
// JavaScript, so that Node and a page run the same.
import { expand, mismatch } from "./pattern.mjs";

const STAGED = new Set(
  "remember recall update connect track_failure track_progress handoff reinforce forget pin restore maintain undo purge import decide".split(" "),
);

/** Runs every case; what is wrong, in sentences. `topics` are the files by name, `model` the token table's bytes. */
export function conformance(Engine, model, topics, skips) {
  const wrong = [];
  let count = 0;
  for (const [topic, { cases }] of Object.entries(topics)) {
    for (const told of cases) {
      count += 1;
      const name = `${topic}/${told.case}`;
      const failed = run(Engine, model, told);
      const skip = skips.find((skip) => skip.case === name);
      if (skip && !failed) wrong.push(`${name}: it passes, and is skipped for: ${skip.reason}`);
      if (!skip && failed) wrong.push(`${name}: ${failed}`);
    }
  }
  return { count, wrong };
}

function run(Engine, model, { model: kind, config, given = {}, steps }) {
  const table = kind === "static" ? model : undefined;
  const engine = opened(Engine, config, table, expand(given.records ?? []), given.revision ?? 0);
  try {
    for (const [index, step] of steps.entries()) {
      const found = carryOut(engine, step);
      const expected = { error: null, ...step.expect };
      if (Object.keys(step.expect).length === 0) return `step ${index + 1} expects nothing, so it can't fail`;
      for (const [what, wanted] of Object.entries(expected)) {
        const difference = mismatch(wanted, found[what]);
        if (difference) return `step ${index + 1} (${step.do}): ${what}${difference}`;
      }
    }
    const records = engine.read("records", {}, 0);
    const again = opened(Engine, config, undefined, records.toReversed?.() ?? [...records].reverse(), engine.revision());
    const same = again.read("digest", {}, 0) === engine.read("digest", {}, 0);
    again.free();
    return same ? undefined : "the records, opened anew, are other records";
  } finally {
    engine.free();
  }
}

function opened(Engine, config, table, records, revision) {
  const engine = new Engine(config, table);
  engine.take(records);
  engine.finish(revision);
  return engine;
}

function carryOut(engine, { at, entropy = "0", do: operation, with: input = {}, commit = true }) {
  const given = expand(input);
  try {
    if (!STAGED.has(operation)) {
      return { outcome: engine.read(operation, given, at), changes: [], error: null };
    }
    const { outcome, entry } = engine.stage(operation, given, at, BigInt(entropy));
    if (entry && commit) engine.apply(entry);
    return { outcome, changes: entry?.changes ?? [], error: null };
  } catch (error) {
    const { code, field, message } = error;
    return { outcome: null, changes: [], error: { code, field, message } };
  }
}

/** Carries out operations, a line each, and compares the digests between them; what is wrong, in a sentence. */
export function operations(Engine, model, lines) {
  const engine = opened(Engine, undefined, model, [], 0);
  let digests = 0;
  try {
    for (const line of lines) {
      const step = JSON.parse(line);
      if (step.digest === undefined) {
        carryOut(engine, step);
        continue;
      }
      digests += 1;
      const found = engine.read("digest", {}, 0);
      if (found !== step.digest) return { digests, wrong: `after ${step.after} operations: ${found} instead of ${step.digest}` };
    }
    return { digests, wrong: undefined };
  } finally {
    engine.free();
  }
}
