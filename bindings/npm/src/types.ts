/** What goes into the verbs and what comes out: the fields and defaults of every other surface of Ebbtrace. */

import type { Category, Json, Memory, Proposal, State, Tier } from "./records.js";

/** A vector from a model of the caller's own. */
export interface RawEmbedding {
  /** The model that made it: vectors of different models are never compared. */
  model: string;
  /** The values: 1 to 4,096, every one finite. */
  values: Float32Array | number[];
}

/** Where an operation works. */
export interface InScope {
  /** At most 128 bytes; default the scope that the memory was opened with. */
  scope?: string;
}

/** A link to make from a new memory. */
export interface LinkInput {
  /** The id of the memory it leads to; it must exist. */
  to: string;
  /** A free lower-case label; default `related`. */
  relation?: string;
  /** Above 0, at most 10; default 1. */
  weight?: number;
}

/** What to remember. Only `content` is needed. */
export interface RememberInput extends InScope {
  /** What to remember: 1 byte to 64 KiB of UTF-8, not blank. */
  content: string;
  /** The caller's own key, at most 256 bytes; storing under one that exists edits that memory. Default: a ULID. */
  id?: string;
  /** A free lower-case label, at most 64 bytes; default `note`. */
  kind?: string;
  /** How fast it fades: failures fastest, strategies slowest; default `fact`. */
  category?: Category;
  /** 0..=1; default 0.5. Where its strength starts, and how slowly it fades. */
  importance?: number;
  /** Who said or wrote it, at most 256 bytes; default nobody. */
  author?: string;
  /** Labels to filter by, at most 64; default none. */
  tags?: string[];
  /** At most 16 KiB as JSON, and 32 levels; default empty. */
  metadata?: { [key: string]: Json };
  /** The session it was said in: linked to the one before by `follows`. At most 256 bytes; default none. */
  session?: string;
  /** The program that stores it, at most 256 bytes; default none. */
  client?: string;
  /** Where to read more, at most 2,048 bytes; default none. */
  uri?: string;
  /** When it happened or was said, in milliseconds since 1970; default now. */
  occurred_at?: number;
  /** Links to memories that exist, at most 256; default none. */
  links?: LinkInput[];
  /** Whether it stays hot; default false. */
  pinned?: boolean;
  /** Its vector; default what the embedder makes of it. */
  embedding?: RawEmbedding;
}

/** What became of a new memory. */
export interface Remembered {
  /** The memory that now holds it. */
  id: string;
  scope: string;
  /**
   * - `created`: stored as a memory of its own;
   * - `reinforced`: known already, in the very words: the known one counts up;
   * - `merged`: known in other words: one memory, both texts kept;
   * - `replaced`: `other` is no longer current, and is kept;
   * - `updated`: the memory of the given id was edited, its earlier text kept;
   * - `echo`: it was recalled a moment ago: nothing changed;
   * - `outdated`: `other` is newer and says otherwise: kept as what was.
   */
  resolution: "created" | "reinforced" | "merged" | "replaced" | "updated" | "echo" | "outdated";
  /** The memory that it was compared with, where that mattered. */
  other?: string;
  /** How alike the two are, 0..=1. */
  similarity?: number;
  /** Why, in a few words. */
  reason: string;
  /** How many edges were made. */
  links: number;
  /** How often it has been used or stored again. */
  recall_count: number;
  /** How many secrets were left out of what is stored; absent: none. */
  redacted?: number;
}

/** What to recall. Only `query` is needed. */
export interface RecallInput extends InScope {
  /** What is looked for, in words: at most 8 KiB, not blank. */
  query: string;
  /** How many at most, 1 to 1,000; default 5. What is outside is taken as the nearest of these. */
  k?: number;
  /** The deepest tier to look in. Default: hot and warm, with cold ones filling in where fewer than `k` others match. */
  depth?: Tier;
  /** Only memories of these kinds; default all. */
  kinds?: string[];
  /** Only memories with all of these tags; default all. */
  tags?: string[];
  /** The lowest score to return, 0..=1; default 0. */
  min_score?: number;
  /** As the memory stood at this instant, in milliseconds since 1970; reinforces nothing. Default now. */
  as_of?: number;
  /** How the score is put together: by what measured best, or as the older system Engram did. Default `fused`. */
  profile?: "fused" | "engram";
  /** The query's vector; default what the embedder makes of it. */
  embedding?: RawEmbedding;
  /** Whether to leave every clock as it is, so that nothing is kept fresh by this; default false. */
  peek?: boolean;
  /** Who asks: whom *I* and *my* stand for. At most 256 bytes; default the authors `user` and `human`. */
  asker?: string;
}

/** The parts of a score, each with its weight; `total` is their sum, 0..=1. */
export interface Score {
  total: number;
  /** BM25 over the best score that the query could reach. */
  lexical: number;
  /** The same over what stands around it in its session. */
  session: number;
  /** Late interaction of the token vectors. */
  tokens: number;
  /** Cosine of the vectors. */
  vector: number;
  /** Whether the one whom the query names said it, or it is about them. */
  author: number;
  /** Whether it is of the time that the query names. */
  time: number;
  /** Whether it has what the query asks for: a time, a number, a name. */
  answer: number;
  /** How much it tells by itself. */
  substance: number;
  /** What came over links. */
  graph: number;
  /** Its strength by the forgetting curve. */
  strength: number;
  /** Its activation, relative to the scope's highest. */
  activation: number;
  /** What a reranker made of it; 0 where there was none. */
  second_stage: number;
}

/** One memory that answers a query, and why. */
export interface Hit {
  /** The memory as it was before this recall. */
  memory: Memory;
  score: Score;
  /** The query's words that it has. */
  matched: string[];
  /** The ids from a direct match to this memory, where the graph led to it; else empty. */
  path: string[];
  /** Its tier now. */
  tier: Tier;
  /** What the tier goes by, 0..=1. */
  retention: number;
  /** Days since it happened or was said. */
  age_days: number;
}

/** The answer to a recall. */
export interface Recalled {
  /** Best first; equal scores by id. */
  hits: Hit[];
  /** How many archived memories match too and are not among the hits. */
  archived: number;
  /** What the caller should know, in sentences. */
  notices: string[];
}

/** What to change of a memory. What is left out stays. */
export interface UpdateInput extends InScope {
  /** Its new text, 1 byte to 64 KiB; the earlier one is kept as superseded. */
  content?: string;
  /** 0..=1. */
  importance?: number;
  /** All its tags. */
  tags?: string[];
  /** All its metadata. */
  metadata?: { [key: string]: Json };
  /** The program that edits it. */
  client?: string;
  /** The session it is edited in. */
  session?: string;
  /** The version that the caller read; default the one that this memory last showed. Another one now is `stale`. */
  if_version?: number;
  /** The new text's vector; default what the embedder makes of it. */
  embedding?: RawEmbedding;
}

/** A memory after an edit, a reinforcement, a pin, an archiving or its end. */
export interface Touched {
  /** The memory as it is now. */
  memory: Memory;
  tier: Tier;
  /** What the tier goes by, 0..=1. */
  retention: number;
  /** How many secrets were left out of what is stored; absent: none. */
  redacted?: number;
  /** What a restore has put behind it, since of both only one can hold; absent: nothing. */
  superseded?: string[];
}

/** What a link says. */
export interface ConnectInput extends InScope {
  /** A free lower-case label; default `related`. */
  relation?: string;
  /** Above 0, at most 10; default 1. */
  weight?: number;
}

/** A link as it is now. */
export interface Connected {
  from: string;
  to: string;
  relation: string;
  weight: number;
  /** Whether it is new; else its clock was reset. */
  created: boolean;
}

/** Which part of a list. */
export interface PageInput extends InScope {
  /** Entries on a page, 1 to 1,000; default 20. */
  limit?: number;
  /** The `cursor` of the page before; default the first page. */
  cursor?: string;
}

/** A part of a list. */
export interface Page<T> {
  items: T[];
  /** How many there are in all. */
  total: number;
  /** What to hand in for the next page; absent: this is the last. */
  cursor?: string;
}

/** One memory near another in the graph. */
export interface Neighbor {
  memory: Memory;
  /** Steps from the start, from 1. */
  distance: number;
  /** The relation of the edge that led to it. */
  relation: string;
  /** Whether that edge points towards it. */
  outgoing: boolean;
  /** That edge's weight after decay. */
  weight: number;
  /** The id of the memory it was reached from. */
  via: string;
  /** Its tier now. */
  tier: Tier;
}

/** What maintenance did, or would do. */
export interface Maintained {
  /** Whether nothing was changed: what `dry_run` asks for, default false. */
  dry_run: boolean;
  /** How many memories were looked at. */
  examined: number;
  /** Tier changes, by id. */
  moved: { id: string; from: Tier; to: Tier }[];
  /** New proposals, by id. */
  proposed: Proposal[];
  /** The ids whose proposal was taken back, since they are in use again. */
  withdrawn: string[];
}

/** A proposal with the memory it is about, for a human to look at. */
export interface ReviewItem {
  /** What is proposed and why. */
  proposal: Proposal;
  /** The memory as it is. */
  memory: Memory;
  /** What its tier goes by now, 0..=1. */
  retention: number;
  /** How many earlier versions of it are kept, which a deletion takes along. */
  versions: number;
  /** Whether it still holds: what has been used, linked to or pinned since is not deleted. */
  holds: boolean;
  /** Of a merge, the memory that stays, as it is; absent otherwise. */
  survivor?: Memory;
}

/**
 * A human's answer: do what is proposed; keep the memory and start its fading anew; or keep it and pin it, so that it is
 * never proposed again.
 */
export type Decision = "approve" | "reject" | "pin";

/** What a decision did. */
export interface Decided {
  /** The memory it was about. */
  id: string;
  proposal: Proposal;
  decision: Decision;
  /** How the decision came: here always `application`. */
  channel: string;
  /** Every memory that is gone for good: it and its earlier versions. Empty where nothing was deleted. */
  deleted: string[];
}

/** Something that went wrong, or what mended it. `error` and `component` are needed. */
export interface FailureInput extends InScope {
  /** The message or what was seen, at most 4,096 bytes. The same but for times, quantities and addresses is the same failure. */
  error: string;
  /** The part that failed: `auth`, `ci`. At most 256 bytes. */
  component: string;
  /** Default as it was; `major` for a new one. */
  severity?: "critical" | "major" | "minor";
  /** Why it failed, at most 2,048 bytes; default as it was. */
  root_cause?: string;
  /** What mended it, at most 2,048 bytes: with it the failure is resolved, until it happens again. */
  fix?: string;
  /** Tests that show it; added to those known. */
  related_test_ids?: string[];
  /** The session it was seen in. */
  session?: string;
  /** The program that tells it. */
  client?: string;
  /** Default what the embedder makes of the record's text. */
  embedding?: RawEmbedding;
}

/** Where a feature stands. `feature` and `status` are needed. */
export interface ProgressInput extends InScope {
  /** Its name, at most 200 bytes; names that differ in case or spaces alone are one. */
  feature: string;
  status: "planning" | "in_progress" | "blocked" | "review" | "done";
  /** Percent, 0 to 100. Default as it was; 100 where it is done, 0 where it is new. */
  completion?: number;
  /** What is in the way now; default nothing. */
  blockers?: string[];
  /** How good it is, 0..=1; default as it was. */
  quality_score?: number;
  /** Anything else, at most 8 KiB. */
  notes?: string;
  /** The session that tells it. */
  session?: string;
  /** The program that tells it. */
  client?: string;
  /** Default what the embedder makes of the record's text. */
  embedding?: RawEmbedding;
}

/** What the next session should know. `summary` is needed. */
export interface HandoffInput extends InScope {
  /** The session in a paragraph, at most 8 KiB. */
  summary: string;
  /** What was finished. */
  completed?: string[];
  /** What was begun. */
  in_progress?: string[];
  /** What is stuck, and on what. */
  blocked?: string[];
  /** What to do next. */
  next_steps?: string[];
  /** The session that ends. */
  session?: string;
  /** The program that tells it. */
  client?: string;
  /** Default what the embedder makes of the record's text. */
  embedding?: RawEmbedding;
}

/** What became of a failure, a progress report or a handoff. */
export interface Tracked {
  /** The memory that holds it. */
  id: string;
  scope: string;
  /** Whether it is a new record; else a known one was brought up to date. */
  created: boolean;
  /** How often it was reported: of a failure, how often it happened. */
  count: number;
  /** What the record says now. */
  content: string;
  /** What mended the failure an earlier time, where that is known and not told just now. */
  fix?: string;
  /** Why, in a few words. */
  reason: string;
  /** How many secrets were left out of what is stored; absent: none. */
  redacted?: number;
}

/** The newest handoff that is still valid. */
export interface Handoff {
  /** The memory that holds it. */
  id: string;
  summary: string;
  completed: string[];
  in_progress: string[];
  blocked: string[];
  next_steps: string[];
  /** The session that ended. */
  session?: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
}

/** A feature that is not done. */
export interface OpenFeature {
  /** The memory that holds it. */
  id: string;
  feature: string;
  status: "planning" | "in_progress" | "blocked" | "review" | "done";
  /** Percent, 0 to 100. */
  completion: number;
  blockers: string[];
  /** 0..=1. */
  quality_score?: number;
  notes?: string;
  /** When it was last reported, in milliseconds since 1970. */
  at: number;
}

/** A failure that is not known to be mended. */
export interface OpenFailure {
  /** The memory that holds it. */
  id: string;
  error: string;
  component: string;
  severity: "critical" | "major" | "minor";
  /** How often it happened. */
  count: number;
  root_cause?: string;
  /** What mended it an earlier time. */
  fix?: string;
  /** When it last happened, in milliseconds since 1970. */
  at: number;
}

/** What a new session starts from. */
export interface Resumed {
  scope: string;
  /** All of it in at most `budget` characters (200 to 20,000, default 2,000), the most pressing first; empty where there is nothing. */
  text: string;
  /** Absent where there is none, or the newest is older than 30 days. */
  handoff?: Handoff;
  /** The latest report first; at most 100. */
  features: OpenFeature[];
  /** The gravest first, then the latest; at most 100. */
  failures: OpenFailure[];
  /** The memories most in use, the most used first; each cut to 300 characters. */
  active: { id: string; content: string; retention: number }[];
  /** How many entries did not fit in the text. */
  left_out: number;
}

/** What happened in the last days. */
export interface Trend {
  /** Memories stored. */
  stored: number;
  /** Current memories that were last used then. */
  used: number;
  /** Memories that were superseded. */
  superseded: number;
}

/** Figures of a scope. */
export interface Stats {
  scope: string;
  /** Memories of every state. */
  memories: number;
  /** Memories by state. */
  states: Record<string, number>;
  /** Current memories by tier. */
  tiers: Record<Tier, number>;
  /** Current memories that are archived: cold or frozen. */
  archived: number;
  /** Current memories by kind. */
  kinds: Record<string, number>;
  /** Current memories by category. */
  categories: Record<string, number>;
  pinned: number;
  edges: number;
  /** Proposals that wait for a human. */
  proposals: number;
  /** Mean strength of the current memories, 0..=1. */
  average_strength: number;
  /** When maintenance last ran, in milliseconds since 1970; absent: never. */
  maintained_at?: number;
  /** What {@link Memory.trackFailure} recorded. */
  failures: { total: number; unresolved: number; by_component: Record<string, number>; by_severity: Record<string, number> };
  /** What {@link Memory.trackProgress} recorded; `active` are those not done, by name. */
  features: { tracked: number; active: Record<string, { status: string; completion: number }> };
  /** The last 7 days. */
  week: Trend;
  /** The last 30 days. */
  month: Trend;
}

/** When a memory reaches each tier if nothing is used any more. */
export interface Forecast {
  /** Its tier now. */
  tier: Tier;
  /** What the tier goes by now, 0..=1. */
  retention: number;
  /** Days until it is no longer hot; `null`: never. */
  warm: number | null;
  /** Days until it is archived; `null`: never. */
  cold: number | null;
  /** Days until it waits for a human; `null`: never. */
  frozen: number | null;
}

/** How a memory came to say what it says. */
export interface History {
  /** The id that was asked for. */
  asked: string;
  /** The memory that holds in its place: itself, where nothing took it. */
  current: string;
  /** Every text that led to the current one, oldest first; the current one is the last. */
  versions: TextVersion[];
}

/** One text of a memory's history. */
export interface TextVersion {
  /** The memory that keeps it. */
  id: string;
  content: string;
  /** Since when it held, in milliseconds since 1970. */
  since: number;
  /** Until when; absent: it still holds. */
  until?: number;
  /** Its state in one word: `active`, `superseded`, `archived`, `proposed`. */
  state: State["state"];
  /** The memory that took its place. */
  by?: string;
  /** Why it no longer holds: it was edited, says the same as another, is contradicted, or its session was undone. */
  ended?: "edited" | "merged" | "replaced" | "undone";
  /** Who said or wrote it. */
  author?: string;
  /** The program that wrote the text. */
  client?: string;
  /** The session it was written in. */
  session?: string;
}

/** What {@link Memory.import} took in. */
export interface Imported {
  /** Records of an export that were new or differed. */
  records: number;
  /** Plain memories, and what became of them. */
  memories: Remembered[];
  /** How many secrets were left out of what is stored. */
  redacted: number;
}

/** What a listener of `subscribe` is told. */
export interface Changed {
  /** The store's revision after it: counts up by one with each commit. */
  revision: number;
  /** What was done; `many` where all was loaded anew. */
  operation: string;
  /** Whether another tab or process did it. */
  elsewhere: boolean;
}
