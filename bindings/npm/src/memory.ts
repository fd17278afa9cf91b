import { named, isStatic, type Embedder } from "./embedder.js";
import { EbbtraceError } from "./errors.js";
import { exported, parsed } from "./exchange.js";
import { checked, object, text, wrong, type Verb } from "./input.js";
import { inLine, refused, secrets, told } from "./intake.js";
import { Turns, type Opened, type Turn } from "./turns.js";
import { fit, type Vectors } from "./vectors.js";
import type { Memory as MemoryRecord, StoredRecord } from "./records.js";
import type * as t from "./types.js";

/** How many texts are embedded at once. */
const EMBEDDED = 64;

/** A memory, ready for use: what {@link open} gives. Every call takes its turn; none sees a half-done one. */
export class Memory {
  readonly #turns: Turns;
  readonly #scope: string | undefined;
  readonly #embedder: Embedder | undefined;
  /** The version of each memory that the caller was last shown: an edit of one that changed since is refused. */
  readonly #seen = new Map<string, number>();

  /** @internal Use {@link open}. */
  constructor(opened: Opened) {
    this.#turns = new Turns(opened);
    this.#scope = opened.scope;
    const { embedder } = opened;
    this.#embedder = embedder === null || isStatic(embedder) ? undefined : named(embedder);
  }

  /** Where calls work that name no scope. */
  get scope(): string {
    return this.#scope ?? "default";
  }

  /** Stores a memory, or finds that it is known. */
  async remember(what: string | t.RememberInput, more: Omit<t.RememberInput, "content"> = {}): Promise<t.Remembered> {
    const input = this.#in("remember", typeof what === "string" ? { ...options(more), content: what } : what);
    const embedding = this.#soon(input.embedding, input.content);
    return this.#turns.turn(async (turn) => this.#remembered(turn, input, await embedding));
  }

  /** Finds memories, and keeps what was found fresh. */
  async recall(what: string | t.RecallInput, more: Omit<t.RecallInput, "query"> = {}): Promise<t.Recalled> {
    const input = this.#in("recall", typeof what === "string" ? { ...options(more), query: what } : what);
    return this.#turns.turn((turn) => this.#recalled(turn, input));
  }

  /** Edits a memory; its earlier text is kept. Refused with `stale` where it changed since it was last shown. */
  async update(id: string, changes: t.UpdateInput): Promise<t.Touched> {
    object("changes", changes);
    const input = this.#in("update", { ...changes, id: text("id", id) });
    const embedding = this.#soon(input.embedding, input.content);
    input.if_version ??= this.#seen.get(this.#key(input.scope, id));
    const touching = this.#turns.turn<t.Touched>(async (turn) => turn.write("update", filled(input, await embedding)));
    return this.#touched(touching);
  }

  /** Links two memories, or resets the clock of their link. */
  async connect(from: string, to: string, more: t.ConnectInput = {}): Promise<t.Connected> {
    return this.#turns.write("connect", this.#in("connect", { ...options(more), from: text("from", from), to: text("to", to) }));
  }

  /** Resets a memory's clock and counts up. */
  async reinforce(id: string, more: t.InScope = {}): Promise<t.Touched> {
    return this.#touched(this.#turns.write("reinforce", this.#of("reinforce", id, more)));
  }

  /** Archives a memory; nothing is deleted. `reason`, at most 1 KiB, is kept with it; default none. */
  async forget(id: string, more: t.InScope & { reason?: string } = {}): Promise<t.Touched> {
    return this.#touched(this.#turns.write("forget", this.#of("forget", id, more)));
  }

  /** Brings an archived, superseded or proposed memory back. */
  async restore(id: string, more: t.InScope = {}): Promise<t.Touched> {
    return this.#touched(this.#turns.write("restore", this.#of("restore", id, more)));
  }

  /** Pins a memory, so that it stays hot; or unpins it. */
  async pin(id: string, pinned = true, more: t.InScope = {}): Promise<t.Touched> {
    return this.#touched(this.#turns.write("pin", this.#of("pin", id, { ...options(more), pinned })));
  }

  /** A memory's surroundings in the graph, nearest first, in pages; `depth` steps far, 1 to 5, default 1. Changes nothing. */
  async neighbors(id: string, more: t.PageInput & { depth?: number } = {}): Promise<t.Page<t.Neighbor>> {
    const page = await this.#turns.read<t.Page<t.Neighbor>>("neighbors", this.#of("neighbors", id, more));
    for (const neighbor of page.items) this.#saw(neighbor.memory);
    return page;
  }

  /** One memory as it is. */
  async get(id: string, more: t.InScope = {}): Promise<MemoryRecord> {
    const memory = await this.#turns.read<MemoryRecord>("find", this.#of("get", id, more));
    this.#saw(memory);
    return memory;
  }

  /**
   * Moves memories between tiers and proposes what a human may let go. With `dry_run` (default false) the answer is the
   * same, and nothing is changed.
   */
  async maintain(more: t.InScope & { dry_run?: boolean } = {}): Promise<t.Maintained> {
    return this.#turns.write("maintain", this.#in("maintain", more));
  }

  /** What waits for a human's decision. */
  async review(more: t.PageInput = {}): Promise<t.Page<t.ReviewItem>> {
    return this.#turns.read("review", this.#in("review", more));
  }

  /**
   * Carries out a human's decision about a proposal as it was shown. Call it from what a person clicks, never from what
   * a model says: `ebbtrace/tools` has no tool that leads here.
   */
  async decide(item: t.ReviewItem, decision: t.Decision): Promise<t.Decided> {
    object("item", item);
    const { proposal, memory } = item;
    object("item.proposal", proposal);
    object("item.memory", memory);
    text("item.memory.id", memory.id);
    text("item.memory.scope", memory.scope);
    if (!DECISIONS.includes(decision)) throw wrong("decision", DECISIONS.join(", "), decision);
    const action = proposal.action === "merge" ? { action: "merge", into: proposal.into } : { action: "delete" };
    const survivor = item.survivor === undefined ? {} : { into_version: item.survivor.version };
    const shown = { id: memory.id, version: memory.version, proposed_at: proposal.proposed_at, action, ...survivor };
    return this.#turns.write("decide", { scope: memory.scope, id: memory.id, shown, decision });
  }

  /** Records a failure, or that a known one happened again or was mended. */
  async trackFailure(input: t.FailureInput): Promise<t.Tracked> {
    return this.#track("failure_text", "track_failure", this.#in("trackFailure", input));
  }

  /** Records where a feature stands. */
  async trackProgress(input: t.ProgressInput): Promise<t.Tracked> {
    return this.#track("progress_text", "track_progress", this.#in("trackProgress", input));
  }

  /** Records what the next session should know. */
  async handoff(what: string | t.HandoffInput): Promise<t.Tracked> {
    return this.#track("handoff_text", "handoff", this.#in("handoff", typeof what === "string" ? { summary: what } : what));
  }

  /**
   * What a new session starts from, in at most `budget` characters, 200 to 20,000, default 2,000. Reading it changes
   * nothing.
   */
  async resume(more: t.InScope & { budget?: number } = {}): Promise<t.Resumed> {
    return this.#turns.read("resume", this.#in("resume", more));
  }

  /** Figures of a scope. */
  async stats(more: t.InScope = {}): Promise<t.Stats> {
    return this.#turns.read("stats", this.#in("stats", more));
  }

  /** When a memory reaches each tier if nothing is used any more. */
  async forecast(id: string, more: t.InScope = {}): Promise<t.Forecast> {
    return this.#turns.read("forecast", this.#of("forecast", id, more));
  }

  /** The tier of each current memory of a scope, by id. */
  async tiers(more: t.InScope = {}): Promise<Record<string, t.Hit["tier"]>> {
    return this.#turns.read("tiers", this.#in("tiers", more));
  }

  /** Every text that led to what a memory says now, oldest first. */
  async history(id: string, more: t.InScope = {}): Promise<t.History> {
    return this.#turns.read("history", this.#of("history", id, more));
  }

  /** The scopes that hold something, by name. */
  scopes(): Promise<string[]> {
    return this.#turns.read("scopes", {});
  }

  /** Every record of one scope, or of all, in a fixed order. */
  async records(more: t.InScope = {}): Promise<StoredRecord[]> {
    return this.#turns.read("records", checked("records", more));
  }

  /** The SHA-256 of all records: two memories with the same digest hold the same. */
  async digest(more: t.InScope = {}): Promise<string> {
    return this.#turns.read("digest", checked("digest", more));
  }

  /** All of one scope, or of all scopes, as JSON Lines: what `ebbtrace import` and {@link Memory.import} take. */
  async export(more: t.InScope = {}): Promise<string> {
    return exported(await this.records(more));
  }

  /** Takes an export in, or plain memories, one a line: all of it, or none and why. */
  async import(jsonLines: string): Promise<t.Imported> {
    const { records, lines, inputs } = parsed(jsonLines);
    const given = inputs.map(({ line, input }) => ({ line, input: told(line, () => this.#in("remember", input)) }));
    const embeddings = given.map(({ input }) => this.#soon(input.embedding, input.content));
    return this.#turns.turn(async (turn) => {
      // Every vector and every refusal comes before the first write.
      const vectors = await Promise.all(embeddings);
      await refused(turn, given, vectors, records);
      const redacted = records.length ? await secrets(turn, records, lines) : 0;
      const taken = records.length ? await turn.write<number>("import", { records }).catch((error: unknown) => inLine(error, lines)) : 0;
      const memories: t.Remembered[] = [];
      for (const [place, { input }] of given.entries()) memories.push(await this.#remembered(turn, input, vectors[place]));
      const left = memories.reduce((sum, memory) => sum + (memory.redacted ?? 0), redacted);
      return { records: taken, memories, redacted: left };
    });
  }

  /** Gives every memory of a scope a vector of the present embedder; how many it gave one. */
  async reembed(more: t.InScope = {}): Promise<number> {
    const { scope = "default" } = this.#in("reembed", more);
    const model = this.#embedder?.name;
    const records = await this.records({ scope });
    const due = records.filter((record) => record.record === "memory" && record.embedding?.model !== model);
    let changed = 0;
    for (let from = 0; from < due.length; from += EMBEDDED) {
      const some = due.slice(from, from + EMBEDDED) as MemoryRecord[];
      const vectors = this.#embedder ? await this.#embedAll(some.map((memory) => memory.content)) : [];
      const memories = some.map(({ id, version, content }, place) => {
        const values = vectors[place];
        return { id, version, content, ...(values && model ? { embedding: { model, values } } : {}) };
      });
      const done = await this.#turns.write<{ changed: number }>("reembed", { scope, memories });
      changed += done.changed;
    }
    return changed;
  }

  /** A text as it would be stored: without the API keys, tokens, passwords and the like that are recognised in it. */
  redact(text: string): Promise<string> {
    return this.#turns.read("redacted", { text });
  }

  /** Calls `listener` after every change, of this program or another; answers with how to end that. */
  subscribe(listener: (changed: t.Changed) => void): () => void {
    if (typeof listener !== "function") throw wrong("listener", "a function", listener);
    return this.#turns.subscribe(listener);
  }

  /** Ends the use of the store. What was acknowledged is safe. */
  close(): Promise<void> {
    return this.#turns.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** What a verb was given, checked; in the scope of this memory where it names none. */
  #in<T extends t.InScope>(verb: Verb, input: T): T {
    const told = checked(verb, input);
    if (this.#scope !== undefined) told.scope ??= this.#scope;
    return told;
  }

  /** The same for a verb about one memory. */
  #of<T extends t.InScope>(verb: Verb, id: string, more: T): T & { id: string } {
    return this.#in(verb, { ...options(more), id: text("id", id) });
  }

  async #remembered(turn: Turn, input: t.RememberInput, embedding: t.RawEmbedding | undefined): Promise<t.Remembered> {
    const remembered = await turn.write<t.Remembered>("remember", filled(input, embedding));
    // It is stored, whatever becomes of this look at its version.
    const found = await turn.read<MemoryRecord>("find", { scope: remembered.scope, id: remembered.id }).catch(() => undefined);
    if (found) this.#saw(found);
    return remembered;
  }

  async #recalled(turn: Turn, input: t.RecallInput): Promise<t.Recalled> {
    const notices: string[] = [];
    if (this.#embedder && !input.embedding && input.query?.trim()) {
      const topic = await turn.read<string>("topic", { scope: input.scope, query: input.query });
      try {
        input.embedding = await this.#embed(topic);
      } catch (error) {
        notices.push(`Found without the embedder: ${String((error as Error).message)}.`);
      }
    }
    const vectors = await turn.read<Vectors>("vectors", { scope: input.scope });
    const notice = notices.length ? undefined : fit(vectors, input);
    if (notice) notices.push(notice);
    let recalled: t.Recalled;
    try {
      recalled = await turn.write<t.Recalled>("recall", input);
    } catch (error) {
      if (!(error instanceof EbbtraceError && NOT_WRITTEN.has(error.code))) throw error;
      // What was found is answered all the same.
      notices.push(`This use was not recorded, so nothing is kept fresh by it: ${error.message}.`);
      recalled = await turn.staged<t.Recalled>("recall", input);
    }
    for (const hit of recalled.hits) this.#saw(hit.memory);
    return { ...recalled, notices: [...recalled.notices, ...notices] };
  }

  #track<T extends t.InScope & { embedding?: t.RawEmbedding }>(text: string, operation: string, input: T): Promise<t.Tracked> {
    return this.#turns.turn(async (turn) => {
      const embed = this.#embedder && !input.embedding;
      const embedding = embed ? await this.#embed(await turn.read<string>(text, input)) : undefined;
      return turn.write(operation, filled(input, embedding));
    });
  }

  /** The vector of a text as it will be stored, without its secrets: made while the call waits for its turn. */
  #soon(given: t.RawEmbedding | undefined, text: string | undefined): Promise<t.RawEmbedding | undefined> {
    if (!this.#embedder || given || !text?.trim()) return Promise.resolve(given);
    const embedding = this.#turns.early<string>("redacted", { text }).then((text) => this.#embed(text));
    // It is told in its turn.
    embedding.catch(() => undefined);
    return embedding;
  }

  async #embed(text: string): Promise<t.RawEmbedding> {
    const [values] = await this.#embedAll([text]);
    return { model: (this.#embedder as Embedder).name, values: values as Float32Array };
  }

  /** A vector for each text; anything else is the embedder's failure. */
  async #embedAll(texts: string[]): Promise<Float32Array[]> {
    const { name, embed } = this.#embedder as Embedder;
    const failed = (why: string, next: string, error?: unknown) =>
      new EbbtraceError("embedder_failed", `the embedder ${name} ${why}`, next, "embedder", error);
    let vectors: Float32Array[];
    try {
      vectors = await embed.call(this.#embedder, texts);
    } catch (error) {
      throw failed(`failed: ${String(error)}`, "Call again, or open without it.", error);
    }
    for (const place of texts.keys()) {
      const values: unknown = vectors?.[place];
      const filled = (values instanceof Float32Array || Array.isArray(values)) && values.length > 0;
      if (!filled) throw failed("gave no vector", VECTORS);
      if (!(values as number[]).every((value) => Number.isFinite(value))) throw failed("gave a vector of what is no number", VECTORS);
    }
    return vectors;
  }

  async #touched(touching: Promise<t.Touched>): Promise<t.Touched> {
    const touched = await touching;
    this.#saw(touched.memory);
    return touched;
  }

  #saw(memory: MemoryRecord): void {
    this.#seen.set(this.#key(memory.scope, memory.id), memory.version);
  }

  #key(scope: string | undefined, id: string): string {
    return `${scope ?? "default"}\u0000${id}`;
  }
}

/** What prevents the writing alone, so that the memory can be asked still. */
const NOT_WRITTEN = new Set(["store_full", "store_io", "unknown_outcome"]);

const DECISIONS: unknown[] = ["approve", "reject", "pin"] satisfies t.Decision[];
const VECTORS = "It must give a Float32Array of finite numbers for each text.";

/** The options at the end of a call: an object, or nothing. */
function options<T extends object>(more: T | null | undefined): T {
  if (more === undefined || more === null) return {} as T;
  object("options", more);
  return more;
}

/** An input with the vector that was made for it. */
function filled<T extends { embedding?: t.RawEmbedding }>(input: T, embedding: t.RawEmbedding | undefined): T {
  return embedding ? { ...input, embedding } : input;
}
