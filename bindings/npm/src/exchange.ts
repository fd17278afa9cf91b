import { EbbtraceError } from "./errors.js";
import { DEEPEST, wrong } from "./input.js";
import type { StoredRecord } from "./records.js";
import type { RememberInput } from "./types.js";

/** The newest form of an export that is known here. */
const VERSION = 1;
/** What a plain line may say. */
const FIELDS = new Set("scope id content kind category importance author tags metadata session client uri occurred_at links pinned embedding".split(" "));

/** What a text holds: records with the line of each, and plain memories. */
export interface Parsed {
  records: StoredRecord[];
  lines: number[];
  inputs: { line: number; input: RememberInput }[];
}

/** Records as JSON Lines. The number lets an import see that a copy was cut short between two lines. */
export function exported(records: StoredRecord[]): string {
  const lines: unknown[] = [{ format: "ebbtrace", version: VERSION, records: records.length }, ...records];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Reads an export, or plain memories, one a line; the first line that is broken refuses the whole. */
export function parsed(text: string): Parsed {
  if (typeof text !== "string") throw wrong("text", "a text of JSON Lines", text);
  const records: StoredRecord[] = [];
  const lines: number[] = [];
  const inputs: Parsed["inputs"] = [];
  let promised: number | undefined;
  let first = true;
  let number = 0;
  for (const line of text.replace(/^\uFEFF/, "").split("\n")) {
    number += 1;
    if (!line.trim()) continue;
    const value = object(line, number);
    sound(value, number);
    if ("format" in value && first) {
      promised = header(value, number);
    } else if ("record" in value) {
      records.push(value as unknown as StoredRecord);
      lines.push(number);
    } else if ("content" in value) {
      inputs.push({ line: number, input: plain(value, number) });
    } else {
      throw broken(number, 'neither a record of an export nor a memory with "content"');
    }
    first = false;
  }
  if (promised !== undefined && promised !== records.length) {
    throw broken(number, `the text ends here with ${records.length} records, and its header promises ${promised}: it is not whole`);
  }
  return { records, lines, inputs };
}

function object(line: string, number: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw broken(number, `not JSON: ${String((error as Error).message)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw broken(number, "a line holds one JSON object");
  return value as Record<string, unknown>;
}

/** Refuses what the engine can't take in or give back: nesting without end, and a key that would set a prototype. */
function sound(line: object, number: number): void {
  const left: [object, number][] = [[line, 0]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, depth] = next;
    if (depth > DEEPEST) throw broken(number, `it is nested over ${DEEPEST} levels`);
    for (const [name, part] of Object.entries(value) as [string, unknown][]) {
      if (name === "__proto__") throw broken(number, 'a key is "__proto__", which can\'t be kept');
      if (typeof part === "object" && part !== null) left.push([part, depth + 1]);
    }
  }
}

function header(value: Record<string, unknown>, number: number): number | undefined {
  const { format, version, records } = value;
  if (format !== "ebbtrace" || typeof version !== "number") throw broken(number, "the header names another format than ebbtrace");
  if (version > VERSION) {
    const message = `the export has version ${version}; this ebbtrace reads up to ${VERSION}`;
    throw new EbbtraceError("newer_export", message, "Nothing was imported. Update ebbtrace.");
  }
  return typeof records === "number" ? records : undefined;
}

function plain(value: Record<string, unknown>, number: number): RememberInput {
  const unknown = Object.keys(value).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) throw broken(number, `${JSON.stringify(unknown)} is no field of a memory; the fields are ${[...FIELDS].join(", ")}`);
  // A field that is null is a field left out.
  const kept = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
  if (typeof kept.occurred_at === "string") {
    const at = Date.parse(kept.occurred_at);
    if (Number.isNaN(at)) throw broken(number, `occurred_at is ${JSON.stringify(kept.occurred_at)}; allowed is a date as 2026-05-01T12:00:00Z`);
    kept.occurred_at = at;
  }
  return kept as unknown as RememberInput;
}

export function broken(line: number, why: string): EbbtraceError {
  return new EbbtraceError("bad_import", `line ${line}: ${why}`, "Nothing was imported. Mend or remove that line, and call again.", "text");
}
