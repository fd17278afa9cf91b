/** What is stored, in the form that every surface of Ebbtrace shares. Instants are milliseconds since 1970, UTC. */

/** What sort of statement a memory is; it sets how fast it fades: failures fastest, strategies slowest. */
export type Category = "assumption" | "fact" | "failure" | "strategy";
/** How near a memory is to being used, by its retention: from 0.35 hot, from 0.15 warm, else archived: cold, or frozen where a human is asked. */
export type Tier = "hot" | "warm" | "cold" | "frozen";
/** Anything that JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Where a memory came from. */
export interface Source {
  /** The program that stored it. */
  client?: string;
  /** The session it was said in. */
  session?: string;
  /** Its place in that session, from 1 in the order of arrival. */
  position?: number;
  /** Where to read more. */
  uri?: string;
  /** Who wrote the present text, where that is not who stored the memory first. */
  editor?: { client?: string; session?: string };
  /** Whether another session than that of the present text has said the same since, or edited its labels. */
  shared?: boolean;
}

/** Whether a memory is current. */
export type State =
  | { state: "active" }
  | { state: "superseded"; by: string; at: number }
  | { state: "archived"; at: number; reason?: string }
  | { state: "proposed"; at: number };

/** One thing remembered. */
export type Memory = {
  scope: string;
  /** Unique in its scope. */
  id: string;
  /** A free label: note, decision, person ... */
  kind: string;
  category: Category;
  /** What is remembered. */
  content: string;
  /** 0..=1: where its strength starts, and how slowly it fades. */
  importance: number;
  /** Whether it stays hot; absent: no. */
  pinned?: boolean;
  /** Labels to filter by, in order; absent: none. */
  tags?: string[];
  /** Absent: empty. */
  metadata?: { [key: string]: Json };
  /** Who said or wrote it. */
  author?: string;
  source: Source;
  /** When it happened or was said. */
  occurred_at: number;
  /** When it was first stored. */
  created_at: number;
  /** When it was last edited. */
  updated_at: number;
  /** Since when its text holds. */
  valid_from: number;
  /** When it was last recalled, reinforced or stored again. */
  last_accessed_at: number;
  /** When it was last recalled; absent: never. */
  recalled_at?: number;
  /** How often it was used or stored again. */
  recall_count: number;
  /** Counts its edits, from 1; use does not count. */
  version: number;
  /** Its tier at the last maintenance. */
  tier: Tier;
  /** Its vector, quantised: each value times `scale`. Absent where the table embeds, or none does. */
  embedding?: { model: string; values: number[]; scale: number };
} & State;

/** What names an edge. */
export interface EdgeKey {
  scope: string;
  from: string;
  to: string;
  relation: string;
}

/** A typed, weighted, dated link between two memories of one scope. */
export interface Edge extends EdgeKey {
  /** Above 0, at most 10; half of it is left 30 days after the edge was last reinforced. */
  weight: number;
  created_at: number;
  /** When it was last made again or led to something recalled. */
  reinforced_at: number;
}

/** What maintenance asks a human to decide. Its id is that of the memory it is about. */
export type Proposal = { scope: string; id: string; reason: string; proposed_at: number } & (
  | { action: "delete" }
  | { action: "merge"; into: string }
);

/** What is known of a scope as a whole. */
export interface ScopeStatus {
  scope: string;
  maintained_at: number;
}

/** Anything a store keeps and an export holds. */
export type StoredRecord =
  | ({ record: "memory" } & Memory)
  | ({ record: "edge" } & Edge)
  | ({ record: "proposal" } & Proposal)
  | ({ record: "scope" } & ScopeStatus);

/** One upsert or delete, with absolute values: applying it twice is applying it once. */
export type Change =
  | ({ change: "put" } & StoredRecord)
  | { change: "touch"; scope: string; id: string; last_accessed_at: number; recalled_at?: number; recall_count: number }
  | ({ change: "touch_edge"; reinforced_at: number } & EdgeKey)
  | { change: "delete_memory"; scope: string; id: string }
  | ({ change: "delete_edge" } & EdgeKey)
  | { change: "delete_proposal"; scope: string; id: string };

/** One committed operation: the audit trail, and what other tabs and processes catch up from. */
export interface JournalEntry {
  /** The revision that this commit made. */
  revision: number;
  /** The host's clock at the time. */
  at: number;
  /** The verb: `remember`, `recall` ... */
  operation: string;
  /** Of a human's decision: how it came. */
  channel?: string;
  changes: Change[];
}

/** A record's key among those of its kind. */
export function keyOf(...parts: string[]): string {
  return parts.join("\u0000");
}

type Kept<Kind> = Extract<StoredRecord, { record: Kind }>;

/** The records at one revision, each kind by its key, changed the way entries say. */
export class Records {
  revision = 0;
  readonly memories = new Map<string, Kept<"memory">>();
  readonly edges = new Map<string, Kept<"edge">>();
  readonly proposals = new Map<string, Kept<"proposal">>();
  readonly scopes = new Map<string, Kept<"scope">>();

  *[Symbol.iterator](): Generator<StoredRecord> {
    yield* this.scopes.values();
    yield* this.memories.values();
    yield* this.edges.values();
    yield* this.proposals.values();
  }

  put(record: StoredRecord): void {
    switch (record.record) {
      case "memory":
        this.memories.set(keyOf(record.scope, record.id), record);
        break;
      case "edge":
        this.edges.set(edgeKey(record), record);
        break;
      case "proposal":
        this.proposals.set(keyOf(record.scope, record.id), record);
        break;
      case "scope":
        this.scopes.set(record.scope, record);
        break;
    }
  }

  apply(entry: JournalEntry): void {
    for (const change of entry.changes) this.#change(change);
    // An edge or a proposal may come before its memory within one entry; not after it.
    for (const change of entry.changes) {
      if (change.change !== "put") continue;
      if (change.record === "edge" && !(this.#has(change.scope, change.from) && this.#has(change.scope, change.to))) {
        this.edges.delete(edgeKey(change));
      } else if (change.record === "proposal" && !this.#has(change.scope, change.id)) {
        this.proposals.delete(keyOf(change.scope, change.id));
      }
    }
    this.revision = entry.revision;
  }

  #has(scope: string, id: string): boolean {
    return this.memories.has(keyOf(scope, id));
  }

  #change(change: Change): void {
    switch (change.change) {
      case "put": {
        const { change: _, ...record } = change;
        this.put(record as StoredRecord);
        break;
      }
      case "touch": {
        const memory = this.memories.get(keyOf(change.scope, change.id));
        if (memory) touch(memory, change);
        break;
      }
      case "touch_edge": {
        const edge = this.edges.get(edgeKey(change));
        if (edge) edge.reinforced_at = change.reinforced_at;
        break;
      }
      case "delete_memory": {
        this.memories.delete(keyOf(change.scope, change.id));
        this.proposals.delete(keyOf(change.scope, change.id));
        for (const [key, edge] of this.edges) {
          if (edge.scope === change.scope && (edge.from === change.id || edge.to === change.id)) this.edges.delete(key);
        }
        break;
      }
      case "delete_edge":
        this.edges.delete(edgeKey(change));
        break;
      case "delete_proposal":
        this.proposals.delete(keyOf(change.scope, change.id));
        break;
    }
  }
}

/** Sets a memory's clocks of use. */
export function touch(memory: Memory, change: Extract<Change, { change: "touch" }>): void {
  memory.last_accessed_at = change.last_accessed_at;
  memory.recall_count = change.recall_count;
  if (change.recalled_at === undefined) delete memory.recalled_at;
  else memory.recalled_at = change.recalled_at;
}

function edgeKey(key: EdgeKey): string {
  return keyOf(key.scope, key.from, key.to, key.relation);
}
