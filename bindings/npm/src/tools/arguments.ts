import type { InputSchema, JsonSchema } from "./definition.js";
import { Refusal } from "./refusal.js";
import { count } from "./words.js";

type Values = { [name: string]: unknown };

/** The deepest that lists and objects may be nested in arguments: the engine refuses metadata long before. */
const DEPTH = 64;

/**
 * The arguments of a call as the tool's schema wants them. What can be meant in one way only is taken for that, and the
 * rest is refused in words that say how to do better:
 *
 * - null, and for an optional argument also `"null"` and `""`, is an argument left out;
 * - a text stands for the number, truth value, list or object that it spells;
 * - one entry stands for a list of one, a text for an object whose only required field is a text;
 * - `2.0` and `"1e9"` are whole numbers, and one too big is the nearest that is safe;
 * - a name is known in any case and with any separators (`minScore`);
 * - another name is refused: an argument that does nothing without a word misleads a model more than a refusal that
 *   names the right one, and a scope under a wrong name would store in the wrong place.
 */
export function read(schema: InputSchema, given: unknown): Values {
  return object("", schema, whole(given));
}

/** The arguments as an object, whatever shape they came in. */
function whole(given: unknown): Values {
  if (typeof given === "string" && !given.trim()) return {};
  const value = spelled(given);
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw refusal("arguments", value, "a JSON object of the tool's arguments");
}

function object(path: string, schema: JsonSchema, given: Values): Values {
  const fields = schema.properties ?? {};
  const required = schema.required ?? [];
  const read: Values = {};
  for (const [told, value] of Object.entries(given)) {
    const name = find(fields, told);
    if (name === undefined) {
      if (value === null || value === undefined) continue;
      throw unknown(path, told, Object.keys(fields));
    }
    const place = join(path, name);
    const meant = coerce(place, fields[name] as JsonSchema, value, required.includes(name));
    if (meant === undefined) continue;
    if (Object.hasOwn(read, name)) throw Refusal.argument(place, () => "given twice", "one value");
    read[name] = meant;
  }
  const lacking = required.find((name) => !Object.hasOwn(read, name));
  if (lacking === undefined) return read;
  const place = join(path, lacking);
  const reason = `${place} is missing; it is ${allowed(fields[lacking] as JsonSchema)}`;
  throw new Refusal("missing_argument", () => reason, `Call again with ${place}.`);
}

/** The value as the schema wants it; `undefined` where it stands for nothing. */
function coerce(path: string, schema: JsonSchema, value: unknown, needed: boolean): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "string" && !needed && /^\s*(null)?\s*$/i.test(value)) return undefined;
  switch (schema.type) {
    case "array":
      return list(path, schema, value);
    case "object":
      return nested(path, schema, value);
    default: {
      const read = plain(schema, value);
      if (read === undefined) throw refusal(path, value, allowed(schema));
      return read;
    }
  }
}

function plain(schema: JsonSchema, value: unknown): unknown {
  switch (schema.type) {
    case "string":
      return text(schema, value);
    case "integer": {
      const number = float(value);
      if (number === undefined || !Number.isInteger(number)) return undefined;
      return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER));
    }
    case "number":
      return float(value);
    default:
      return truth(value);
  }
}

function text(schema: JsonSchema, value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
  const told = String(value);
  if (!schema.enum) return told;
  return schema.enum.find((choice) => choice === told.trim().toLowerCase());
}

function float(value: unknown): number | undefined {
  const spelled = typeof value === "string" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim());
  const number = spelled ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function truth(value: unknown): boolean | undefined {
  switch (typeof value === "string" ? value.trim().toLowerCase() : value) {
    case true:
    case 1:
    case "true":
    case "1":
      return true;
    case false:
    case 0:
    case "false":
    case "0":
      return false;
    default:
      return undefined;
  }
}

function list(path: string, schema: JsonSchema, value: unknown): unknown[] {
  const item = schema.items as JsonSchema;
  let entries: unknown = value;
  if (typeof value === "string") {
    entries = parsed(value);
    // Meant as a list, but not one: taking it for one odd entry would help nobody.
    if (!Array.isArray(entries) && value.trimStart().startsWith("[")) throw refusal(path, value, "a JSON list of texts");
  }
  if (!Array.isArray(entries)) entries = [value];
  return (entries as unknown[]).map((entry, index) => {
    const place = `${path}[${index}]`;
    const read = coerce(place, item, entry, true);
    if (read === undefined) throw Refusal.argument(place, () => "null", allowed(item));
    return read;
  });
}

function nested(path: string, schema: JsonSchema, value: unknown): unknown {
  const open = schema.properties === undefined;
  const told = spelled(value);
  if (isObject(told)) {
    if (!open) return object(path, schema, told);
    if (deep(told, DEPTH)) throw Refusal.argument(path, () => `an object of more than ${DEPTH} levels`, allowed(schema));
    return told;
  }
  const [only, more] = schema.required ?? [];
  if (typeof told === "string" && !open && only !== undefined && more === undefined) {
    return object(path, schema, { [only]: told });
  }
  throw refusal(path, told, allowed(schema));
}

/** The object, list or null that a text spells, or the value as it is. */
function spelled(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const told = parsed(value);
  return typeof told === "object" ? told : value;
}

/** What a JSON text says; `undefined` where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether lists and objects are nested deeper than so. */
function deep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => deep(inner, levels - 1));
}

/** The field of that name, in any case and with any separators. */
function find(fields: { [name: string]: JsonSchema }, told: string): string | undefined {
  if (Object.hasOwn(fields, told)) return told;
  const bare = (name: string) => name.replace(/[_\- ]/g, "").toLowerCase();
  return Object.keys(fields).find((name) => bare(name) === bare(told));
}

function unknown(path: string, name: string, names: string[]): Refusal {
  const reason = (excerpt: string) => `there is no argument ${JSON.stringify(join(path, excerpt))}; allowed are ${names.join(", ")}`;
  return new Refusal("unknown_argument", reason, "Nothing was done. Call again with the allowed names.", name);
}

function refusal(path: string, value: unknown, allowed: string): Refusal {
  return typeof value === "string"
    ? Refusal.argument(path, (excerpt) => `the text ${JSON.stringify(excerpt)}`, allowed, value)
    : Refusal.argument(path, () => came(value), allowed);
}

/** What came, in a few words that repeat nothing of it. */
function came(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${count(value.length, "entry", "entries")}`;
  return isObject(value) ? "an object" : String(value);
}

function allowed(schema: JsonSchema): string {
  if (schema.enum) return `one of ${schema.enum.join(", ")}`;
  const nouns = {
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
    array: "a list",
    object: "a JSON object",
    string: "a text",
  };
  const noun = nouns[schema.type];
  return schema.description === undefined ? noun : `${noun} (${schema.description})`;
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
