import { EbbtraceError } from "./errors.js";

/**
 * What a field holds. `name` is a text that names something: two names must never become one, so it has no halves of
 * characters, which would all be stored as the same sign.
 */
type Kind = "text" | "name" | "number" | "whole" | "instant" | "flag" | "texts" | "json" | "links" | "vector" | "model";

type Fields = Readonly<Record<string, Kind>>;

const IN_SCOPE: Fields = { scope: "name" };
const BY: Fields = { session: "text", client: "text", embedding: "vector" };
const PAGED: Fields = { ...IN_SCOPE, limit: "whole", cursor: "text" };

/** The fields of each verb's input, by the verb's name. */
const FIELDS = {
  remember: {
    ...IN_SCOPE, ...BY, content: "text", id: "name", kind: "name", category: "text", importance: "number", author: "text",
    tags: "texts", metadata: "json", uri: "text", occurred_at: "instant", links: "links", pinned: "flag",
  },
  recall: {
    ...IN_SCOPE, query: "text", k: "whole", depth: "text", kinds: "texts", tags: "texts", min_score: "number", as_of: "instant",
    profile: "text", embedding: "vector", peek: "flag", asker: "text",
  },
  update: { ...IN_SCOPE, ...BY, id: "name", content: "text", importance: "number", tags: "texts", metadata: "json", if_version: "whole" },
  connect: { ...IN_SCOPE, from: "name", to: "name", relation: "name", weight: "number" },
  reinforce: { ...IN_SCOPE, id: "name" },
  forget: { ...IN_SCOPE, id: "name", reason: "text" },
  restore: { ...IN_SCOPE, id: "name" },
  pin: { ...IN_SCOPE, id: "name", pinned: "flag" },
  neighbors: { ...PAGED, id: "name", depth: "whole" },
  get: { ...IN_SCOPE, id: "name" },
  maintain: { ...IN_SCOPE, dry_run: "flag" },
  review: PAGED,
  trackFailure: {
    ...IN_SCOPE, ...BY, error: "text", component: "text", severity: "text", root_cause: "text", fix: "text", related_test_ids: "texts",
  },
  trackProgress: {
    ...IN_SCOPE, ...BY, feature: "text", status: "text", completion: "number", blockers: "texts", quality_score: "number", notes: "text",
  },
  handoff: {
    ...IN_SCOPE, ...BY, summary: "text", completed: "texts", in_progress: "texts", blocked: "texts", next_steps: "texts",
  },
  resume: { ...IN_SCOPE, budget: "whole" },
  stats: IN_SCOPE,
  forecast: { ...IN_SCOPE, id: "name" },
  tiers: IN_SCOPE,
  history: { ...IN_SCOPE, id: "name" },
  records: IN_SCOPE,
  digest: IN_SCOPE,
  export: IN_SCOPE,
  reembed: IN_SCOPE,
} satisfies Record<string, Fields>;

/** The verbs that take a text alone too. */
const TEXTS: Verb[] = ["remember", "recall", "handoff"];

export type Verb = keyof typeof FIELDS;

/** What a value of each kind must be, in words. */
const WANTED: Record<Kind, string> = {
  text: "a text",
  name: "a text",
  number: "a number",
  whole: "a whole number",
  instant: "an instant in whole milliseconds since 1970, as Date.getTime() gives it",
  flag: "true or false",
  texts: "a list of texts",
  json: "an object of JSON values",
  links: "a list of objects with to, relation, weight",
  vector: "an object with model and values",
  model: "a list of numbers",
};

const NEXT = "Nothing was changed. Mend it and call again.";
/** Deeper than any metadata may be, so that what contains itself ends here. */
export const DEEPEST = 100;

/**
 * A verb's input as the engine takes it: of known fields and the right types. A field that is undefined or null is a
 * field left out. Whether the values are allowed is for the engine to say.
 */
export function checked<T extends object>(verb: Verb, input: T): T {
  if (!isObject(input)) {
    const message = `${verb} was given ${shown(input)}; allowed is ${TEXTS.includes(verb) ? "a text or an object" : "an object"}`;
    throw new EbbtraceError("bad_argument", message, NEXT, "input");
  }
  const fields: Fields = FIELDS[verb];
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue;
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!kind) throw unknown(`${verb} has no field`, name, Object.keys(fields));
    kept[name] = cast(kind, name, value);
  }
  return kept as T;
}

/** Refuses what is no object; lists and functions are none here. */
export function object(field: string, value: unknown): asserts value is object {
  if (!isObject(value)) throw wrong(field, "an object", value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An argument that must be there. */
export function text(field: string, value: unknown): string {
  return cast("name", field, value) as string;
}

export function unknown(what: string, name: string, allowed: string[]): EbbtraceError {
  const message = `${what} ${JSON.stringify(name)}; allowed are ${allowed.join(", ")}`;
  return new EbbtraceError("unknown_argument", message, "Leave it out, or mend its name.", name);
}

/** That a value is of another type than it must be. */
export function wrong(field: string, wanted: string, value: unknown): EbbtraceError {
  return new EbbtraceError("bad_argument", `${field} is ${shown(value)}; allowed is ${wanted}`, NEXT, field);
}

function cast(kind: Kind, field: string, value: unknown): unknown {
  const refused = () => wrong(field, WANTED[kind], value);
  switch (kind) {
    case "text":
      if (typeof value !== "string") throw refused();
      return value;
    case "name":
      if (typeof value !== "string") throw refused();
      if (/\p{Surrogate}/u.test(value)) {
        const message = `${field} is ${JSON.stringify(value)}; allowed are whole characters only`;
        throw new EbbtraceError("bad_name", message, NEXT, field);
      }
      return value;
    case "flag":
      if (typeof value !== "boolean") throw refused();
      return value;
    case "number":
      if (typeof value !== "number") throw refused();
      return value;
    case "whole":
    case "instant":
      if (typeof value !== "number") throw refused();
      if (!Number.isSafeInteger(value)) throw new EbbtraceError("out_of_range", `${field} is ${value}; allowed is ${WANTED[kind]}`, NEXT, field);
      return value;
    case "texts":
      if (!Array.isArray(value)) throw refused();
      return value.map((one, place) => cast("text", `${field}[${place}]`, one));
    case "json":
      object(field, value);
      return json(field, value, 0);
    case "links":
      if (!Array.isArray(value)) throw refused();
      return value.map((link, place) => parts(`${field}[${place}]`, link, { to: "name", relation: "name", weight: "number" }));
    case "vector":
      object(field, value);
      return parts(field, value, { model: "text", values: "model" });
    case "model":
      if (!(value instanceof Float32Array) && !(Array.isArray(value) && value.every((one) => typeof one === "number"))) throw refused();
      return value;
  }
}

function parts(field: string, value: unknown, fields: Fields): object {
  object(field, value);
  const kept: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(fields)) {
    const part = (value as Record<string, unknown>)[name];
    if (part !== undefined && part !== null) kept[name] = cast(kind, `${field}.${name}`, part);
    else if (name !== "relation" && name !== "weight") throw wrong(`${field}.${name}`, WANTED[kind], part);
  }
  return kept;
}

/** A value as JSON has it: what is undefined is left out, a date is a text; what JSON would lose is refused. */
function json(field: string, value: unknown, depth: number): unknown {
  if (depth > DEEPEST) throw new EbbtraceError("too_long", `${field.slice(0, 60)}… is nested over ${DEEPEST} levels, or contains itself`, NEXT, field.split(/[.[]/)[0]);
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new EbbtraceError("out_of_range", `${field} is ${value}; allowed are finite numbers`, NEXT, field);
      return value;
    case "object":
      break;
    default:
      throw wrong(field, "a JSON value", value);
  }
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((one, place) => json(`${field}[${place}]`, one ?? null, depth + 1));
  if ("toJSON" in value && typeof value.toJSON === "function") return json(field, value.toJSON(), depth + 1);
  if (Object.prototype.toString.call(value) !== "[object Object]") throw wrong(field, "a JSON value", value);
  const kept: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue;
    // On its way out of the engine it would set the object's prototype, and be lost.
    if (name === "__proto__") throw new EbbtraceError("bad_name", `${field} has a key "__proto__"; allowed is any other`, NEXT, field);
    kept[name] = json(`${field}.${name}`, part, depth + 1);
  }
  return kept;
}

/** What came, shortly and without what may be secret: a text is not said again. */
function shown(value: unknown): string {
  if (value === null || value === undefined || typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return typeof value === "string" ? "a text" : `a ${typeof value}`;
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return kind === "Object" ? "an object" : `a ${kind}`;
}
