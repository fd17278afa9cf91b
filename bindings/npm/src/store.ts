import type { Change, JournalEntry, StoredRecord } from "./records.js";

/** What became of a commit: stored for good; another writer was faster, and nothing was written; nobody knows. */
export type CommitAnswer = "committed" | "conflict" | "unknown";

/** A place for records and their journal. Four methods; give any object that has them. */
export interface Store {
  /** Hands every record to `take`, in any order and in batches of any size, and says which revision they are at. */
  load(take: (records: StoredRecord[]) => Promise<void> | void): Promise<number>;

  /**
   * Writes `entry` in one transaction if the store is still at the revision before `entry.revision`. Where it throws,
   * nothing was written.
   */
  commit(entry: JournalEntry): Promise<CommitAnswer>;

  /** The journal after `revision`, in order; `null` where it no longer reaches back that far and all must be loaded. */
  changesSince(revision: number): Promise<JournalEntry[] | null>;

  /** Ends the use of files and connections. */
  close(): Promise<void>;

  /** Where the store can tell: calls `changed` when somebody else has committed. Answers with how to end that. */
  watch?(changed: () => void): () => void;
}

/** Whether the entry deletes a memory. Its changes are kept nowhere: they would name what is gone. */
export function deletes(entry: JournalEntry): boolean {
  return entry.changes.some((change) => change.change === "delete_memory");
}

/** Whether a change of an earlier entry speaks of a memory that is gone: by its name, or by its text. */
export function speaksOf(change: Change, scope: string, id: string, text: string | undefined): boolean {
  if (change.scope !== scope) return false;
  switch (change.change) {
    case "touch":
    case "delete_memory":
    case "delete_proposal":
      return change.id === id;
    case "touch_edge":
    case "delete_edge":
      return change.from === id || change.to === id;
    case "put":
      switch (change.record) {
        case "memory":
          return change.id === id || change.content === text || (change.state === "superseded" && change.by === id);
        case "edge":
          return change.from === id || change.to === id;
        case "proposal":
          return change.id === id || (change.action === "merge" && change.into === id);
        case "scope":
          return false;
      }
  }
}
