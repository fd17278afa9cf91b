/** Stored memories as answers show them: recall, neighbours and the review queue. */

import type { Memory, State } from "../records.js";
import type { Hit, Neighbor, ReviewItem } from "../types.js";
import * as times from "./times.js";
import { age, count, cut, few, fixed, harmless, length, line, quote, round } from "./words.js";

/** Metadata of up to so many characters of JSON is shown with the memory; more only where it is asked for. */
const METADATA_SHOWN = 400;
/** So many of its tags are shown with a memory, except where it is read alone. */
const TAGS_SHOWN = 16;

/** The least of a memory's content that an answer shows, in characters, before it shows fewer memories instead. */
export const LEAST_SHOWN = 160;

/** How much of a memory to show. */
export interface Extent {
  /** The first character of its content. */
  from: number;
  characters: number;
  tags: number;
  metadata: number;
}

/** Its first characters. */
export function first(characters: number): Extent {
  return { from: 0, characters, tags: TAGS_SHOWN, metadata: METADATA_SHOWN };
}

/** Its characters from `from` on, and every tag. */
export function rest(from: number, characters: number): Extent {
  return { from, characters, tags: Infinity, metadata: METADATA_SHOWN };
}

/** Its first characters and its metadata, however long it is. With it there is no room for the tags. */
export function withMetadata(characters: number): Extent {
  return { from: 0, characters, tags: 0, metadata: Infinity };
}

/** One memory that answers a query. */
export function hit(found: Hit, number: number, characters: number): string {
  const { memory, score, matched, path, tier, age_days } = found;
  const head = `${number}. score ${fixed(score.total)}, ${tier}, ${age(age_days)}`;
  const parts = Object.entries(score)
    .filter(([name, value]) => name !== "total" && round(value) > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name} ${fixed(value)}`);
  const why = [
    matched.length ? `has ${few(matched, 12).join(", ")}` : "",
    path.length ? `linked ${path.join(" > ")}` : "",
    parts.join(" + "),
  ];
  return stored(memory, head, why.filter(Boolean).join("; "), first(characters));
}

/** A memory that was asked for by its id. */
export function whole(memory: Memory, extent: Extent): string {
  return stored(memory, "1. as it is stored", "", extent);
}

/** One memory near another. */
export function near(found: Neighbor, characters: number): string {
  const { memory, distance, relation, outgoing, weight, via, tier } = found;
  const edge = outgoing ? `${via} --${relation}--> ${memory.id}` : `${memory.id} --${relation}--> ${via}`;
  const head = `${tier}, step ${distance}, weight ${fixed(weight)}`;
  return stored(memory, head, edge, first(characters));
}

/** One memory that waits for a human's decision. */
export function waiting({ proposal, memory, retention, versions, survivor }: ReviewItem, characters: number): string {
  const along = versions ? ` with ${count(versions, "earlier version", "earlier versions")}` : "";
  const at = times.write(proposal.proposed_at);
  const head = `${proposal.action}${along}, proposed ${at}, retention ${fixed(retention, 3)}`;
  const told = stored(memory, head, line(proposal.reason), first(characters));
  if (survivor === undefined) return told;
  const shown = cut(survivor.content, Math.max(characters, LEAST_SHOWN));
  const more = shown.length < survivor.content.length ? "…" : "";
  return `${told}\n|   merge into ${survivor.id}; what stays, as ${survivor.id}, says:\n${quote(`${shown}${more}`)}`;
}

/**
 * A memory under a first line of figures. Every line with something stored in it begins with `| `; what is said of the
 * memory stands before its content, so that the content can't say it.
 */
function stored(memory: Memory, head: string, why: string, extent: Extent): string {
  const { content, tags = [], metadata = {}, author, source, category, occurred_at } = memory;
  const told = JSON.stringify(metadata);
  const shown = told.length <= extent.metadata;
  let text = `${head}\n|   ${memory.id} (${memory.kind})\n|   `;
  if (why) text += `why: ${why}\n|   `;
  text += `said ${times.write(occurred_at)}`;
  if (author !== undefined) text += ` by ${line(author)}`;
  const via = [
    source.client === undefined ? "" : `client ${line(source.client)}`,
    source.session === undefined ? "" : `session ${line(source.session)}`,
    source.uri === undefined ? "" : line(source.uri),
  ].filter(Boolean);
  if (via.length) text += ` via ${via.join(", ")}`;
  text += `; ${category}, ${state(memory)}`;
  const few = tags.slice(0, extent.tags);
  if (few.length) text += `; tags ${few.map((tag) => line(tag)).join(", ")}`;
  // What JSON itself does not escape would break out of the line; all of the metadata has to fit an answer.
  if (shown && told !== "{}" && !(isRecord(memory) && extent.metadata < Infinity)) text += `\n|   metadata ${harmless(told)}`;
  const before = extent.from > 0 ? cut(content, extent.from) : "";
  const part = cut(content.slice(before.length), extent.characters);
  text += `\n${quote(part)}`;
  const missing = omitted(memory, extent, before, part, shown);
  return missing.length ? `${text}\n|   [${missing.join("; ")}]` : text;
}

/** Whether it is a record of work, whose content says all of it that a reader needs. */
function isRecord({ kind, metadata = {} }: Memory): boolean {
  return ["failure", "progress", "handoff"].includes(kind) && metadata.type === kind;
}

/** What of a memory is not shown, and how to read it. */
function omitted({ id, content, tags = [] }: Memory, extent: Extent, before: string, part: string, metadata: boolean): string[] {
  const read = (what: string) => `recall {"query": "[read ${id} ${what}]"}`;
  const missing: string[] = [];
  const ends = before.length + part.length === content.length;
  if (before !== "" || !ends) {
    const start = length(before);
    missing.push(`characters ${start} to ${start + length(part)} of ${length(content)} shown`);
    if (!ends) missing.push(`read on with ${read(`from ${start + length(part)}`)}`);
  }
  if (tags.length > extent.tags) missing.push(`${extent.tags} of ${tags.length} tags shown; see all with ${read("from 0")}`);
  if (!metadata) missing.push(`metadata not shown; see it with ${read("metadata")}`);
  return missing;
}

function state(memory: State): string {
  switch (memory.state) {
    case "active":
      return "active";
    case "superseded":
      return `superseded by ${memory.by} at ${times.write(memory.at)}`;
    case "archived":
      return `archived at ${times.write(memory.at)}${memory.reason === undefined ? "" : `: ${line(memory.reason)}`}`;
    case "proposed":
      return `proposed for deletion at ${times.write(memory.at)}`;
  }
}
