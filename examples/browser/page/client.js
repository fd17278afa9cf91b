// The one way from the page to a memory. The page calls what `MemoryClient` lists and nothing else, so that a program that
// serves this page over HTTP only has to bring another `openClient`.

/**
 * What the page needs. Every call answers with a promise; what fails rejects with `{ code, message, nextStep }`.
 * Fields and answers are those of the npm package, but for `graph`.
 *
 * @typedef {object} MemoryClient
 * @property {(days: number) => void} lookAhead Moves the clock of all further calls ahead. While it is ahead nothing is
 *   written: `recall` only looks, and what would write is refused with `looking_ahead`.
 * @property {(scope: string) => void} use The scope that further calls work in.
 * @property {() => Promise<string[]>} scopes
 * @property {(input: object) => Promise<object>} remember
 * @property {(input: { query: string, k?: number, depth?: string, peek?: boolean }) => Promise<object>} recall
 * @property {(id: string) => Promise<object>} get
 * @property {(id: string) => Promise<object>} history
 * @property {(id: string) => Promise<object>} forecast When it reaches each tier, counted from today even when looking ahead.
 * @property {(id: string) => Promise<{ items: object[], total: number }>} neighbors
 * @property {(id: string, pinned: boolean) => Promise<object>} pin
 * @property {(id: string) => Promise<object>} forget
 * @property {(id: string) => Promise<object>} restore
 * @property {(id: string) => Promise<object>} reinforce
 * @property {(from: string, to: string, more: { relation?: string, weight?: number }) => Promise<object>} connect
 * @property {() => Promise<object>} maintain
 * @property {() => Promise<{ items: object[], total: number }>} review
 * @property {(item: object, decision: "approve" | "reject" | "pin") => Promise<object>} decide Only from what a person clicks.
 * @property {() => Promise<object>} stats
 * @property {(more: { limit: number, with?: string[] }) => Promise<Graph>} graph What is worth drawing: at most `limit`
 *   memories, those `with` among them, each with its tier at that time, and the links between them.
 * @property {() => Promise<string>} exportText All scopes, as JSON Lines.
 * @property {(text: string) => Promise<object>} importText All of it, or none and why.
 * @property {() => Promise<string>} digest
 * @property {(listener: () => void) => void} subscribe Calls after every change, of this tab or another.
 */

/**
 * @typedef {object} Graph
 * @property {number} total How many memories the scope holds.
 * @property {{ id: string, content: string, kind: string, importance: number, pinned: boolean, state: string, tier: string | null }[]} nodes
 *   `tier` is null for what is superseded.
 * @property {{ from: string, to: string, relation: string, weight: number, faded: number }[]} edges `faded` is what the
 *   time since its last use has left of the weight.
 */

/** A memory in this browser: the package runs in a worker, so that no amount of memories holds up the page. */
export function openClient() {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const waiting = new Map();
  const listeners = new Set();
  let calls = 0;
  let ahead = 0;
  let scope = "default";

  worker.onmessage = ({ data }) => {
    if (data.changed) {
      for (const listener of listeners) listener();
      return;
    }
    const { resolve, reject } = waiting.get(data.call);
    waiting.delete(data.call);
    if (data.error) reject(Object.assign(new Error(data.error.message), data.error));
    else resolve(data.answer);
  };
  worker.onerror = (event) => {
    const told = { code: "worker_failed", nextStep: "Reload the page. What was stored is safe." };
    for (const { reject } of waiting.values()) reject(Object.assign(new Error(event.message || "the worker can't be started"), told));
    waiting.clear();
  };
  // A worker can't ask for it. Whether the browser grants it is its to say.
  void navigator.storage?.persist?.().catch(() => false);

  const ask = (method, ...args) =>
    new Promise((resolve, reject) => {
      calls += 1;
      waiting.set(calls, { resolve, reject });
      worker.postMessage({ call: calls, method, args, ahead, scope });
    });
  const client = {
    lookAhead: (days) => void (ahead = days),
    use: (name) => void (scope = name),
    subscribe: (listener) => void listeners.add(listener),
  };
  for (const method of METHODS) client[method] = (...args) => ask(method, ...args);
  return /** @type {MemoryClient} */ (client);
}

const METHODS = [
  "scopes", "remember", "recall", "get", "history", "forecast", "neighbors", "pin", "forget", "restore", "reinforce",
  "connect", "maintain", "review", "decide", "stats", "graph", "exportText", "importText", "digest",
];
