import { named, isStatic, type Embedder } from "./embedder.js";
import { EbbtraceError } from "./errors.js";
import { exported, parsed } from "./exchange.js";
import { Turns, type Opened } from "./turns.js";
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
    const input = this.#in(typeof what === "string" ? { ...more, content: what } : what);
    input.embedding ??= await this.#embedded(input.content);
    const remembered = await this.#turns.write<t.Remembered>("remember", input);
    const found = await this.#turns.read<MemoryRecord>("find", { scope: remembered.scope, id: remembered.id });
    this.#saw(found);
    return remembered;
  }

  /** Finds memories, and keeps what was found fresh. */
  async recall(what: string | t.RecallInput, more: Omit<t.RecallInput, "query"> = {}): Promise<t.Recalled> {
    const input = this.#in(typeof what === "string" ? { ...more, query: what } : what);
    const notices: string[] = [];
    if (this.#embedder && !input.embedding && input.query?.trim()) {
      const topic = await this.#turns.read<string>("topic", { scope: input.scope, query: input.query });
      try {
        input.embedding = await this.#embed(topic);
      } catch (error) {
        notices.push(`Found without the embedder: ${String((error as Error).message)}.`);
      }
    }
    const vectors = await this.#turns.read<Vectors>("vectors", { scope: input.scope });
    const notice = notices.length ? undefined : fit(vectors, input);
    if (notice) notices.push(notice);
    let recalled: t.Recalled;
    try {
      recalled = await this.#turns.write<t.Recalled>("recall", input);
    } catch (error) {
      if (!(error instanceof EbbtraceError && NOT_WRITTEN.has(error.code))) throw error;
      // What was found is answered all the same.
      notices.push(`This use was not recorded, so nothing is kept fresh by it: ${error.message}.`);
      recalled = await this.#turns.staged<t.Recalled>("recall", input);
    }
    for (const hit of recalled.hits) this.#saw(hit.memory);
    return { ...recalled, notices: [...recalled.notices, ...notices] };
  }

  /** Edits a memory; its earlier text is kept. Refused with `stale` where it changed since it was last shown. */
  async update(id: string, changes: t.UpdateInput): Promise<t.Touched> {
    const input = { ...this.#in(changes), id };
    if (input.content !== undefined) input.embedding ??= await this.#embedded(input.content);
    input.if_version ??= this.#seen.get(this.#key(input.scope, id));
    return this.#touched(this.#turns.write("update", input));
  }

  /** Links two memories, or resets the clock of their link. */
  connect(from: string, to: string, more: t.ConnectInput = {}): Promise<t.Connected> {
    return this.#turns.write("connect", { ...this.#in(more), from, to });
  }

  /** Resets a memory's clock and counts up. */
  reinforce(id: string, more: t.InScope = {}): Promise<t.Touched> {
    return this.#touched(this.#turns.write("reinforce", { ...this.#in(more), id }));
  }

  /** Archives a memory; nothing is deleted. */
  forget(id: string, more: t.InScope & { reason?: string } = {}): Promise<t.Touched> {
    return this.#touched(this.#turns.write("forget", { ...this.#in(more), id }));
  }

  /** Brings an archived, superseded or proposed memory back. */
  restore(id: string, more: t.InScope = {}): Promise<t.Touched> {
    return this.#touched(this.#turns.write("restore", { ...this.#in(more), id }));
  }

  /** Pins a memory, so that it stays hot; or unpins it. */
  pin(id: string, pinned = true, more: t.InScope = {}): Promise<t.Touched> {
    return this.#touched(this.#turns.write("pin", { ...this.#in(more), id, pinned }));
  }

  /** A memory's surroundings in the graph, nearest first, in pages; `depth` steps far, 1 to 5, default 1. Changes nothing. */
  async neighbors(id: string, more: t.PageInput & { depth?: number } = {}): Promise<t.Page<t.Neighbor>> {
    const page = await this.#turns.read<t.Page<t.Neighbor>>("neighbors", { ...this.#in(more), id });
    for (const neighbor of page.items) this.#saw(neighbor.memory);
    return page;
  }

  /** One memory as it is. */
  async get(id: string, more: t.InScope = {}): Promise<MemoryRecord> {
    const memory = await this.#turns.read<MemoryRecord>("find", { ...this.#in(more), id });
    this.#saw(memory);
    return memory;
  }

  /** Moves memories between tiers and proposes what a human may let go. */
  maintain(more: t.InScope & { dry_run?: boolean } = {}): Promise<t.Maintained> {
    return this.#turns.write("maintain", this.#in(more));
  }

  /** What waits for a human's decision. */
  review(more: t.PageInput = {}): Promise<t.Page<t.ReviewItem>> {
    return this.#turns.read("review", this.#in(more));
  }

  /**
   * Carries out a human's decision about a proposal as it was shown. Call it from what a person clicks, never from what
   * a model says: `ebbtrace/tools` has no tool that leads here.
   */
  decide(item: t.ReviewItem, decision: t.Decision): Promise<t.Decided> {
    const { proposal, memory } = item;
    const action = proposal.action === "merge" ? { action: "merge", into: proposal.into } : { action: "delete" };
    const shown = { id: memory.id, version: memory.version, proposed_at: proposal.proposed_at, action };
    return this.#turns.write("decide", { scope: memory.scope, id: memory.id, shown, decision });
  }

  /** Records a failure, or that a known one happened again or was mended. */
  trackFailure(input: t.FailureInput): Promise<t.Tracked> {
    return this.#track("failure_text", "track_failure", input);
  }

  /** Records where a feature stands. */
  trackProgress(input: t.ProgressInput): Promise<t.Tracked> {
    return this.#track("progress_text", "track_progress", input);
  }

  /** Records what the next session should know. */
  handoff(what: string | t.HandoffInput): Promise<t.Tracked> {
    return this.#track("handoff_text", "handoff", typeof what === "string" ? { summary: what } : what);
  }

  /** What a new session starts from, in at most `budget` characters. Reading it changes nothing. */
  resume(more: t.InScope & { budget?: number } = {}): Promise<t.Resumed> {
    return this.#turns.read("resume", this.#in(more));
  }

  /** Figures of a scope. */
  stats(more: t.InScope = {}): Promise<t.Stats> {
    return this.#turns.read("stats", this.#in(more));
  }

  /** When a memory reaches each tier if nothing is used any more. */
  forecast(id: string, more: t.InScope = {}): Promise<t.Forecast> {
    return this.#turns.read("forecast", { ...this.#in(more), id });
  }

  /** The tier of each current memory of a scope, by id. */
  tiers(more: t.InScope = {}): Promise<Record<string, t.Hit["tier"]>> {
    return this.#turns.read("tiers", this.#in(more));
  }

  /** Every text that led to what a memory says now, oldest first. */
  history(id: string, more: t.InScope = {}): Promise<{ [more: string]: unknown }> {
    return this.#turns.read("history", { ...this.#in(more), id });
  }

  /** The scopes that hold something, by name. */
  scopes(): Promise<string[]> {
    return this.#turns.read("scopes", {});
  }

  /** Every record of one scope, or of all, in a fixed order. */
  records(more: t.InScope = {}): Promise<StoredRecord[]> {
    return this.#turns.read("records", more);
  }

  /** The SHA-256 of all records: two memories with the same digest hold the same. */
  digest(more: t.InScope = {}): Promise<string> {
    return this.#turns.read("digest", more);
  }

  /** All of one scope, or of all scopes, as JSON Lines: what `ebbtrace import` and {@link Memory.import} take. */
  async export(more: t.InScope = {}): Promise<string> {
    return exported(await this.records(more));
  }

  /** Takes an export in, or plain memories, one a line: all of it, or none and why. */
  async import(text: string): Promise<t.Imported> {
    const { records, inputs } = parsed(text);
    const redacted = records.length ? await this.#turns.read<number>("secrets", { records }) : 0;
    const taken = records.length ? await this.#turns.write<number>("import", { records }) : 0;
    const memories: t.Remembered[] = [];
    for (const input of inputs) memories.push(await this.remember(input));
    const left = memories.reduce((sum, memory) => sum + (memory.redacted ?? 0), redacted);
    return { records: taken, memories, redacted: left };
  }

  /** Gives every memory of a scope a vector of the present embedder; how many it gave one. */
  async reembed(more: t.InScope = {}): Promise<number> {
    const { scope } = this.#in(more);
    const model = this.#embedder?.name;
    const records = await this.records(scope === undefined ? {} : { scope });
    const due = records.filter((record) => record.record === "memory" && record.embedding?.model !== model);
    let changed = 0;
    for (let from = 0; from < due.length; from += EMBEDDED) {
      const some = due.slice(from, from + EMBEDDED) as MemoryRecord[];
      const vectors = this.#embedder ? await this.#embedder.embed(some.map((memory) => memory.content)) : [];
      const memories = some.map(({ id, version, content }, place) => {
        const values = vectors[place];
        return { id, version, content, ...(values && model ? { embedding: { model, values } } : {}) };
      });
      const done = await this.#turns.write<{ changed: number }>("reembed", { scope: some[0]?.scope, memories });
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
    return this.#turns.subscribe(listener);
  }

  /** Ends the use of the store. What was acknowledged is safe. */
  close(): Promise<void> {
    return this.#turns.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #in<T extends t.InScope>(input: T): T {
    if (typeof input !== "object" || input === null) {
      throw new EbbtraceError("bad_argument", `an object was expected, and ${typeof input} came`, "Call again with an object.");
    }
    // A field that is undefined is a field left out.
    const told = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
    if (this.#scope !== undefined) told.scope ??= this.#scope;
    return told;
  }

  async #track<T extends t.InScope & { embedding?: t.RawEmbedding }>(
    text: string,
    operation: string,
    given: T,
  ): Promise<t.Tracked> {
    const input = this.#in(given);
    if (this.#embedder && !input.embedding) {
      input.embedding = await this.#embed(await this.#turns.read<string>(text, input));
    }
    return this.#turns.write(operation, input);
  }

  /** The vector of a text as it will be stored: without its secrets. */
  async #embedded(text: string): Promise<t.RawEmbedding | undefined> {
    if (!this.#embedder || typeof text !== "string" || !text.trim()) return undefined;
    return this.#embed(await this.#turns.read<string>("redacted", { text }));
  }

  async #embed(text: string): Promise<t.RawEmbedding> {
    const { name, embed } = this.#embedder as Embedder;
    let values: Float32Array | undefined;
    try {
      [values] = await embed.call(this.#embedder, [text]);
    } catch (error) {
      throw new EbbtraceError("embedder_failed", `the embedder ${name} failed: ${String(error)}`, "Call again, or open without it.", "embedder", error);
    }
    if (!values?.length) {
      throw new EbbtraceError("embedder_failed", `the embedder ${name} gave no vector`, "It must give a Float32Array for each text.", "embedder");
    }
    return { model: name, values };
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
