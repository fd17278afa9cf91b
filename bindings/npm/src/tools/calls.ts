/** What each tool does: its arguments to the memory's call, what that answered to a text. */

import type { Memory } from "../memory.js";
import type { Memory as MemoryRecord } from "../records.js";
import type * as t from "../types.js";
import type { Verb } from "./definition.js";
import * as outcomes from "./outcomes.js";
import { Refusal } from "./refusal.js";
import * as times from "./times.js";
import * as views from "./views.js";
import { count, DATA, length, visibleLines } from "./words.js";

/** A call: who asks, and for what. */
export interface Call {
  memory: Memory;
  /** The arguments, as the tool's schema wants them. */
  given: { [name: string]: unknown };
  /** The scope it is about; `undefined`: the memory's own. */
  scope: string | undefined;
  /** The program that stores, where it said its name. */
  client: string | undefined;
  /** The most characters of an answer. */
  characters: number;
}

const { LEAST_SHOWN } = views;

export const CALLS: Record<Verb, (call: Call) => Promise<string>> = {
  async remember({ memory, given, scope, client }) {
    const { occurred_at, ...told } = given as { content: string; occurred_at?: string };
    const at = occurred_at === undefined ? {} : { occurred_at: times.read("occurred_at", occurred_at) };
    return outcomes.remembered(await memory.remember({ ...told, ...at, ...named({ scope, client }) }));
  },

  async recall(call) {
    const { memory, scope } = call;
    const { as_of, ...told } = call.given as { query: string; as_of?: string };
    const read = /^\[read ([\s\S]*)\]$/.exec(told.query.trim());
    if (read) return one(call, (read[1] as string).trim());
    const at = as_of === undefined ? {} : { as_of: times.read("as_of", as_of) };
    return found(call, await memory.recall({ ...told, ...at, ...named({ scope }) }));
  },

  async update({ memory, given, scope, client }) {
    const { id, ...changes } = given as unknown as { id: string } & t.UpdateInput;
    if (!["content", "importance", "tags", "metadata"].some((name) => name in changes)) {
      const reason = "nothing to change was given; allowed are content, importance, tags and metadata";
      throw new Refusal("missing_argument", () => reason, "Call again with what should change; forget archives a memory.");
    }
    return outcomes.changed("Updated.", await memory.update(id, { ...changes, ...named({ scope, client }) }));
  },

  async resume({ memory, given, scope, characters }) {
    let budget = given.budget as number | undefined;
    for (;;) {
      const resumed = await memory.resume(named({ scope, budget }));
      const answer = outcomes.resumed(resumed);
      const shown = length(resumed.text);
      // The marks at the lines' beginnings and what is said around come on top of the budget.
      if (fits(answer, characters) || shown < characters / 4) return answer;
      budget = Math.floor((shown * 9) / 10);
    }
  },

  async handoff({ memory, given, scope, client }) {
    return outcomes.tracked(await memory.handoff({ ...(given as unknown as t.HandoffInput), ...named({ scope, client }) }));
  },

  async track_failure({ memory, given, scope, client }) {
    return outcomes.tracked(await memory.trackFailure({ ...(given as unknown as t.FailureInput), ...named({ scope, client }) }));
  },

  async track_progress({ memory, given, scope, client }) {
    return outcomes.tracked(await memory.trackProgress({ ...(given as unknown as t.ProgressInput), ...named({ scope, client }) }));
  },

  async connect({ memory, given, scope }) {
    const { from, to, ...more } = given as { from: string; to: string };
    return outcomes.connected(await memory.connect(from, to, { ...more, ...named({ scope }) }));
  },

  async reinforce({ memory, given, scope }) {
    return outcomes.changed("Reinforced.", await memory.reinforce(given.id as string, named({ scope })));
  },

  async forget({ memory, given, scope }) {
    const { id, reason } = given as { id: string; reason?: string };
    return outcomes.changed("Archived; nothing is deleted.", await memory.forget(id, named({ scope, reason })));
  },

  async neighbors({ memory, given, scope, characters }) {
    const { id, ...more } = given as unknown as { id: string } & t.PageInput & { depth?: number };
    return paged(more.limit, characters, async (limit) => {
      const page = await memory.neighbors(id, { ...more, ...named({ scope, limit }) });
      const about = (entries: number) => `${count(page.total, "memory", "memories")} near ${id}; ${entries} here. ${DATA}`;
      return { page, about, say: views.near };
    });
  },

  async pin({ memory, given, scope }) {
    const { id, pinned = true } = given as { id: string; pinned?: boolean };
    return outcomes.changed(pinned ? "Pinned." : "Unpinned.", await memory.pin(id, pinned, named({ scope })));
  },

  async maintain({ memory, given, scope, characters }) {
    const done = await memory.maintain(named({ scope, dry_run: (given.dry_run as boolean | undefined) ?? false }));
    return most(outcomes.LISTED, characters, (listed) => outcomes.maintained(done, listed)).answer;
  },

  async review_queue({ memory, given, scope, characters }) {
    const more = given as t.PageInput;
    return paged(more.limit, characters, async (limit) => {
      const page = await memory.review({ ...more, ...named({ scope, limit }) });
      const waiting = count(page.total, "proposal waits", "proposals wait");
      const about = page.total ? `${waiting} for a human, who decides outside this conversation. ${DATA}` : "Nothing waits for a human's decision.";
      return { page, about: () => about, say: views.waiting };
    });
  },

  async stats({ memory, scope }) {
    return outcomes.stats(await memory.stats(named({ scope })));
  },
};

/** The answer to recall. */
function found({ memory, scope = memory.scope, characters }: Call, { hits, archived, notices }: t.Recalled): string {
  const about = hits.length
    ? `${count(hits.length, "memory", "memories")} in scope ${scope}, best first. ${DATA}`
    : archived
      ? `Nothing current in scope ${scope} answers this.`
      : `Nothing in scope ${scope} answers this: it is not known here. Don't guess.`;
  const said = [...notices];
  if (archived) {
    const more = count(archived, "archived memory matches", "archived memories match");
    said.push(`${more} too: recall with depth "frozen" shows them.`);
  }
  return most(hits.length, characters, (entries, shown) => {
    const notes = entries < hits.length ? [...said, `Only the best ${entries} fit in this answer: narrow the query, or ask for fewer.`] : said;
    const blocks = hits.slice(0, entries).map((hit, index) => views.hit(hit, index + 1, shown));
    return [about, ...blocks, ...notes.map((note) => `Note: ${note}`)].join("\n\n");
  }).answer;
}

/** One memory by its id: what `[read ID]`, `[read ID from N]` and `[read ID metadata]` ask for. */
async function one({ memory, scope, characters }: Call, wanted: string): Promise<string> {
  const { record, extent } = await lookUp(wanted, (id) => memory.get(id, named({ scope })));
  const about = `The memory ${record.id}, read by its id. ${DATA}`;
  return most(1, characters, (_, shown) => `${about}\n\n${views.whole(record, extent(shown))}`).answer;
}

/** The memory that is wanted: by the whole text as an id, else by what stands before the part. */
async function lookUp(wanted: string, get: (id: string) => Promise<MemoryRecord>) {
  try {
    return { record: await get(wanted), extent: (shown: number) => views.rest(0, shown) };
  } catch (error) {
    const { code } = error as { code?: unknown };
    const part = /^([\s\S]+) (?:from (\d+)|metadata)$/.exec(wanted);
    if (!part || (code !== "not_found" && code !== "too_long")) throw error;
    const from = part[2] === undefined ? undefined : Number(part[2]);
    const extent = (shown: number) => (from === undefined ? views.withMetadata(shown) : views.rest(from, shown));
    return { record: await get((part[1] as string).trim()), extent };
  }
}

/** A page's answer. One that is too long is cut by asking for a shorter page, so that its cursor goes on where it ends. */
async function paged<T>(
  limit: number | undefined,
  characters: number,
  ask: (limit: number | undefined) => Promise<{
    page: t.Page<T>;
    about: (entries: number) => string;
    say: (item: T, characters: number) => string;
  }>,
): Promise<string> {
  for (let wanted = limit; ; ) {
    const { page, about, say } = await ask(wanted);
    const { entries, answer } = most(page.items.length, characters, (entries, shown) => {
      const blocks = [about(entries), ...page.items.slice(0, entries).map((item) => say(item, shown))];
      if (page.cursor !== undefined) blocks.push(`There are more: call again with cursor ${JSON.stringify(page.cursor)}.`);
      return blocks.join("\n\n");
    });
    if (entries >= page.items.length) return answer;
    wanted = entries;
  }
}

/**
 * The answer that shows the most: `of` entries, or as many of the first as fit with {@link LEAST_SHOWN} characters of
 * content each, and then as much of each content as fits.
 */
function most(of: number, characters: number, made: (entries: number, shown: number) => string): { entries: number; answer: string } {
  const say = (entries: number, shown: number) => visibleLines(made(entries, shown));
  const does = (entries: number, shown: number) => fits(say(entries, shown), characters);
  // One entry is shown even where it does not fit: every part of an entry but its content is short.
  const entries = of < 2 || does(of, LEAST_SHOWN) ? of : last(1, of, (entries) => does(entries, LEAST_SHOWN));
  const all = say(entries, characters);
  if (fits(all, characters)) return { entries, answer: all };
  return { entries, answer: say(entries, last(LEAST_SHOWN, characters, (shown) => does(entries, shown))) };
}

/** The last number from `low`, which is taken to do, up to but without `high`, for which `does` holds. */
function last(low: number, high: number, does: (number: number) => boolean): number {
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (does(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function fits(answer: string, characters: number): boolean {
  return answer.length <= characters || length(answer) <= characters;
}

/** The fields that have a value. */
function named<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
