/** What the other tools did, as answers say it. */

import type { Connected, Maintained, Remembered, Resumed, Stats, Touched, Tracked } from "../types.js";
import * as times from "./times.js";
import { count, DATA, fixed, line, quote } from "./words.js";

/** How many entries of a list without pages are shown at most. */
export const LISTED = 40;

export function remembered(stored: Remembered): string {
  const { id, scope, resolution, reason, similarity, links, recall_count } = stored;
  const other = stored.other ?? "an older memory";
  const done = {
    created: `Stored as ${id}.`,
    reinforced: `Known already as ${id}: it was counted, not doubled.`,
    merged: `Known already in other words as ${id}; both texts are kept.`,
    replaced: `Current as ${id}. It replaces ${other}, which is no longer current but stays.`,
    updated: `Edited ${id}; its earlier text is kept.`,
    outdated: `Kept as history as ${id}: ${other} says otherwise and is of later.`,
    echo: `${id} was recalled a moment ago and says this: nothing changed.`,
  }[resolution];
  const both = stored.other !== undefined && similarity !== undefined;
  const compared = both ? ` Compared with ${other}, ${fixed(similarity)} alike.` : "";
  const made = `Scope ${scope}; ${count(links, "link", "links")} made; used ${count(recall_count, "time", "times")} so far.`;
  return `${done} Why ${resolution}: ${line(reason)}.${compared} ${made}${leftOut(stored.redacted)}`;
}

/** A memory after update, reinforce, forget or pin. */
export function changed(done: string, { memory, tier, retention, redacted }: Touched): string {
  const { id, scope, state, pinned, importance, version, recall_count } = memory;
  const now = `${state}, ${tier} (retention ${fixed(retention)})${pinned ? ", pinned" : ""}`;
  const used = count(recall_count, "time", "times");
  return `${done} ${id} in scope ${scope} is now ${now}; importance ${importance}, version ${version}, used ${used}.${leftOut(redacted)}`;
}

export function connected({ from, to, relation, weight, created }: Connected): string {
  const done = created ? "Linked" : "Linked already; the link's clock was reset";
  return `${done}: ${from} --${relation}--> ${to}, weight ${weight}.`;
}

export function tracked({ id, scope, created, count: told, reason, fix, redacted }: Tracked): string {
  const done = created ? "Recorded as" : "Brought up to date:";
  const before = fix === undefined ? "" : `\nWhat mended it before (${DATA}):\n${quote(fix)}`;
  return `${done} ${id} in scope ${scope}: ${reason}; told ${count(told, "time", "times")} so far.${leftOut(redacted)}${before}`;
}

/** What a new session starts from. */
export function resumed({ scope, text, handoff, left_out }: Resumed): string {
  const about =
    text === ""
      ? "Nothing is handed over in this scope."
      : `${handoff ? "The newest handoff and the state as it stands." : "No valid handoff; the state as it stands."} ${DATA}`;
  const at = handoff ? ` Handed over ${times.write(handoff.at)}.` : "";
  const session = handoff?.session === undefined ? "" : `\n|   Session ${JSON.stringify(line(handoff.session))}.`;
  const more = left_out ? `\n${count(left_out, "entry", "entries")} left out: a larger budget shows more.` : "";
  return `${about} Scope ${scope}.${at}${session}${text === "" ? "" : `\n${quote(text)}`}${more}`;
}

/** What maintain did or would do, with the first so many entries of each list. */
export function maintained(done: Maintained, listed: number): string {
  const { dry_run, examined, moved, proposed, withdrawn } = done;
  const [looked, would] = dry_run ? ["Dry run: nothing changed. ", "would be "] : ["", ""];
  const lines = [
    `${looked}Looked at ${count(examined, "memory", "memories")}: ${moved.length} ${would}moved between tiers, ` +
      `${proposed.length} ${would}proposed to a human for deletion, ${withdrawn.length} ${would}taken back. Nothing is deleted.`,
  ];
  for (const { id, from, to } of moved.slice(0, listed)) lines.push(`moved ${id}: ${from} to ${to}`);
  // A reason that many share is said once, in front of the first of them.
  let said: string | undefined;
  for (const { id, reason } of proposed.slice(0, listed)) {
    lines.push(`proposed ${id}: ${reason === said ? "for the same reason" : line(reason, 160)}`);
    said = reason;
  }
  for (const id of withdrawn.slice(0, listed)) lines.push(`taken back ${id}`);
  if (moved.length + proposed.length + withdrawn.length > lines.length - 1) {
    lines.push("Only the first of each are listed; review_queue pages through all proposals.");
  }
  return lines.join("\n");
}

/** Figures of a scope. */
export function stats(told: Stats): string {
  const { scope, archived, pinned, proposals, failures, features, maintained_at } = told;
  const lines = [
    `Scope ${scope}: ${count(told.memories, "memory", "memories")}, ${count(told.edges, "link", "links")}, ${pinned} pinned, ${proposals} waiting for a human.`,
    `States: ${figures(told.states)}`,
    `Tiers: ${figures(told.tiers)} (${archived} archived)`,
    `|   Kinds: ${figures(most(told.kinds, "(other kinds)"))}`,
    `Categories: ${figures(told.categories)}`,
  ];
  if (failures.total) {
    const components = figures(most(failures.by_component, "(other components)"));
    lines.push(`|   Failures: ${failures.total}, ${failures.unresolved} unresolved (${components}; ${figures(failures.by_severity)})`);
  }
  if (features.tracked) {
    const one = ([name, { status, completion }]: [string, { status: string; completion: number }]) =>
      `${line(name)} ${line(status)} ${completion.toFixed(0)}%`;
    const active = sorted(features.active).slice(0, LISTED).map(one);
    lines.push(`|   Features: ${features.tracked} tracked; not done: ${active.join(", ") || "none"}`);
  }
  lines.push(`Last 7 days: ${trend(told.week)}; last 30: ${trend(told.month)}.`);
  const at = maintained_at === undefined ? "never" : times.write(maintained_at);
  lines.push(`Average strength ${fixed(told.average_strength)}; last maintained: ${at}.`);
  return lines.join("\n");
}

/** That secrets were left out, where some were; never which. */
function leftOut(redacted = 0): string {
  return redacted === 0 ? "" : ` ${count(redacted, "secret was", "secrets were")} left out.`;
}

function figures(counts: Record<string, number>): string {
  return sorted(counts).map(([name, count]) => `${line(name)} ${count}`).join(", ") || "none";
}

/** The greatest figures, and under `others` what all the rest come to. */
function most(counts: Record<string, number>, others: string): Record<string, number> {
  const ranked = sorted(counts).sort(([, many], [, more]) => more - many);
  const kept = ranked.slice(0, LISTED);
  const other = ranked.slice(LISTED).reduce((sum, [, count]) => sum + count, 0);
  return Object.fromEntries(other ? [...kept, [others, other]] : kept);
}

function sorted<T>(named: Record<string, T>): [string, T][] {
  return Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1));
}

function trend({ stored, used, superseded }: Stats["week"]): string {
  return `${stored} stored, ${used} used, ${superseded} superseded`;
}
