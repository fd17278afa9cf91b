/** What goes into the verbs and what comes out: the fields and defaults of every other surface of Ebbtrace. */

import type { Category, Json, Memory, Proposal, Tier } from "./records.js";

/** A vector from a model of the caller's own. */
export interface RawEmbedding {
  model: string;
  values: Float32Array | number[];
}

/** Where an operation works: default the scope that the memory was opened with. */
export interface InScope {
  scope?: string;
}

export interface RememberInput extends InScope {
  /** What to remember: 1 byte to 64 KiB, not blank. */
  content: string;
  /** The caller's own key; storing under one that exists edits that memory. Default: a ULID. */
  id?: string;
  /** A free label; default `note`. */
  kind?: string;
  /** Default `fact`. */
  category?: Category;
  /** 0..=1; default 0.5. */
  importance?: number;
  /** Who said or wrote it. */
  author?: string;
  tags?: string[];
  metadata?: { [key: string]: Json };
  /** The session it was said in: linked to the one before by `follows`. */
  session?: string;
  /** The program that stores it. */
  client?: string;
  uri?: string;
  /** When it happened or was said, in milliseconds since 1970; default now. */
  occurred_at?: number;
  links?: { to: string; relation?: string; weight?: number }[];
  /** Whether it stays hot. */
  pinned?: boolean;
  embedding?: RawEmbedding;
}

export interface Remembered {
  id: string;
  scope: string;
  resolution: "created" | "reinforced" | "merged" | "replaced" | "updated" | "echo" | "outdated";
  /** The memory that it was compared with, where that mattered. */
  other?: string;
  /** How alike the two are, 0..=1. */
  similarity?: number;
  /** Why, in a few words. */
  reason: string;
  links: number;
  recall_count: number;
  /** How many secrets were left out of what is stored. */
  redacted?: number;
}

export interface RecallInput extends InScope {
  /** What is looked for, in words. */
  query: string;
  /** How many at most, 1 to 1,000; default 5. */
  k?: number;
  /** The deepest tier to look in. Default: hot and warm, with cold ones filling in. */
  depth?: Tier;
  kinds?: string[];
  /** Only memories with all of these tags. */
  tags?: string[];
  /** The lowest score to return, 0..=1. */
  min_score?: number;
  /** As the memory stood at this instant; reinforces nothing. */
  as_of?: number;
  profile?: "fused" | "engram";
  embedding?: RawEmbedding;
  /** Whether to leave every clock as it is. */
  peek?: boolean;
  /** Who asks: whom *I* and *my* stand for. */
  asker?: string;
}

/** The parts of a score; `total` is their sum, 0..=1. */
export interface Score {
  total: number;
  lexical: number;
  session: number;
  tokens: number;
  vector: number;
  author: number;
  time: number;
  answer: number;
  substance: number;
  graph: number;
  strength: number;
  activation: number;
  second_stage: number;
}

export interface Hit {
  /** The memory as it was before this recall. */
  memory: Memory;
  score: Score;
  /** The query's words that it has. */
  matched: string[];
  /** The ids from a direct match to this memory, where the graph led to it. */
  path: string[];
  /** Its tier now. */
  tier: Tier;
  /** What the tier goes by, 0..=1. */
  retention: number;
  age_days: number;
}

export interface Recalled {
  /** Best first. */
  hits: Hit[];
  /** How many archived memories match too and are not among the hits. */
  archived: number;
  /** What the caller should know, in sentences. */
  notices: string[];
}

export interface UpdateInput extends InScope {
  content?: string;
  importance?: number;
  tags?: string[];
  metadata?: { [key: string]: Json };
  client?: string;
  session?: string;
  /** The version that the caller read; default the one that this memory last showed. */
  if_version?: number;
  embedding?: RawEmbedding;
}

export interface Touched {
  memory: Memory;
  tier: Tier;
  retention: number;
  redacted?: number;
}

export interface ConnectInput extends InScope {
  /** Default `related`. */
  relation?: string;
  /** Above 0, at most 10; default 1. */
  weight?: number;
}

export interface Connected {
  from: string;
  to: string;
  relation: string;
  weight: number;
  created: boolean;
}

export interface PageInput extends InScope {
  limit?: number;
  cursor?: string;
}

export interface Page<T> {
  items: T[];
  total: number;
  cursor?: string;
}

export interface Neighbor {
  memory: Memory;
  /** Steps from the start, from 1. */
  distance: number;
  relation: string;
  outgoing: boolean;
  weight: number;
  via: string;
  tier: Tier;
}

export interface Maintained {
  dry_run: boolean;
  examined: number;
  moved: { id: string; from: Tier; to: Tier }[];
  proposed: Proposal[];
  withdrawn: string[];
}

export interface ReviewItem {
  proposal: Proposal;
  memory: Memory;
  retention: number;
  versions: number;
  /** Whether it still holds: what has been used since is not deleted. */
  holds: boolean;
}

export type Decision = "approve" | "reject" | "pin";

export interface Decided {
  id: string;
  proposal: Proposal;
  decision: Decision;
  channel: string;
  deleted: string[];
}

export interface FailureInput extends InScope {
  error: string;
  component: string;
  severity?: "critical" | "major" | "minor";
  root_cause?: string;
  fix?: string;
  related_test_ids?: string[];
  session?: string;
  client?: string;
  embedding?: RawEmbedding;
}

export interface ProgressInput extends InScope {
  feature: string;
  status: "planning" | "in_progress" | "blocked" | "review" | "done";
  completion?: number;
  blockers?: string[];
  quality_score?: number;
  notes?: string;
  session?: string;
  client?: string;
  embedding?: RawEmbedding;
}

export interface HandoffInput extends InScope {
  summary: string;
  completed?: string[];
  in_progress?: string[];
  blocked?: string[];
  next_steps?: string[];
  session?: string;
  client?: string;
  embedding?: RawEmbedding;
}

export interface Tracked {
  id: string;
  scope: string;
  created: boolean;
  count: number;
  content: string;
  fix?: string;
  reason: string;
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
  /** All of it in at most as many characters as the budget says, the most pressing first; empty where there is nothing. */
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
  tier: Tier;
  retention: number;
  /** Days until it is no longer hot; `null`: never. */
  warm: number | null;
  cold: number | null;
  frozen: number | null;
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
  revision: number;
  /** What was done; `many` where all was loaded anew. */
  operation: string;
  /** Whether another tab or process did it. */
  elsewhere: boolean;
}
