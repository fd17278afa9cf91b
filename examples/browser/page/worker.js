// The package in a worker: answers the calls of client.js, one at a time.
import { EbbtraceError, IndexedDbStore, open } from "./vendor/ebbtrace/browser.js";
import { drawn } from "./drawn.js";

const DAY = 86_400_000;

/** How far ahead the clock is, in days. Calls take turns, so that each runs at its own time. */
let ahead = 0;
let last = Promise.resolve();
/** The records as last read, by scope; a change ends it. */
let read = new Map();

const opening = open({ store: new IndexedDbStore(), clock: () => Date.now() + ahead * DAY });
opening.then(
  (memory) =>
    memory.subscribe(() => {
      read = new Map();
      postMessage({ changed: true });
    }),
  // Told to whoever calls.
  () => undefined,
);

const READS = {
  scopes: (memory) => memory.scopes(),
  get: (memory, scope, id) => memory.get(id, scope),
  history: (memory, scope, id) => memory.history(id, scope),
  forecast: (memory, scope, id) => {
    ahead = 0;
    return memory.forecast(id, scope);
  },
  neighbors: (memory, scope, id) => memory.neighbors(id, { ...scope, depth: 1, limit: 20 }),
  review: (memory, scope) => memory.review({ ...scope, limit: 50 }),
  stats: (memory, scope) => memory.stats(scope),
  recall: (memory, scope, input) => memory.recall({ ...scope, ...input, peek: input.peek || ahead > 0 }),
  exportText: (memory) => memory.export(),
  digest: (memory) => memory.digest(),
  graph: async (memory, scope, { limit, with: wanted = [] }) => {
    const records = read.get(scope.scope) ?? (await memory.records(scope));
    read.set(scope.scope, records);
    return drawn(records, await memory.tiers(scope), Date.now() + ahead * DAY, limit, wanted);
  },
};

const WRITES = {
  remember: (memory, scope, input) => memory.remember({ ...scope, ...input }),
  pin: (memory, scope, id, pinned) => memory.pin(id, pinned, scope),
  forget: (memory, scope, id) => memory.forget(id, scope),
  restore: (memory, scope, id) => memory.restore(id, scope),
  reinforce: (memory, scope, id) => memory.reinforce(id, scope),
  connect: (memory, scope, from, to, more) => memory.connect(from, to, { ...scope, ...more }),
  maintain: (memory, scope) => memory.maintain(scope),
  decide: (memory, scope, item, decision) => memory.decide(item, decision),
  importText: (memory, scope, text) => memory.import(text),
};

async function answer({ method, args, ahead: days, scope }) {
  const memory = await opening;
  if (days > 0 && !(method in READS)) {
    const next = "Go back to today, and do it then.";
    throw new EbbtraceError("looking_ahead", `the clock is ${days} days ahead, where nothing is written`, next);
  }
  ahead = days;
  return (READS[method] ?? WRITES[method])(memory, { scope }, ...args);
}

onmessage = ({ data }) => {
  last = last.then(async () => {
    try {
      postMessage({ call: data.call, answer: await answer(data) });
    } catch (error) {
      const { code = "internal", message = String(error), nextStep = "" } = error ?? {};
      postMessage({ call: data.call, error: { code, message, nextStep } });
    }
  });
};
