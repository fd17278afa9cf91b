import { keyOf, Records, type JournalEntry, type StoredRecord } from "../records.js";
import { deletes, speaksOf, type CommitAnswer, type Store } from "../store.js";

/** Keeps everything as long as the program runs: for tests, and for what need not last. */
export class MemoryStore implements Store {
  readonly #records = new Records();
  /** Entry i made revision i + 1; `null` where it deleted something. */
  readonly #journal: (JournalEntry | null)[] = [];
  readonly #watchers = new Set<() => void>();

  async load(take: (records: StoredRecord[]) => Promise<void> | void): Promise<number> {
    const revision = this.#records.revision;
    await take(structuredClone([...this.#records]));
    return revision;
  }

  async commit(entry: JournalEntry): Promise<CommitAnswer> {
    if (entry.revision !== this.#records.revision + 1) return "conflict";
    const kept = structuredClone(entry);
    for (const change of kept.changes) {
      if (change.change !== "delete_memory") continue;
      const text = this.#records.memories.get(keyOf(change.scope, change.id))?.content;
      for (const earlier of this.#journal) {
        if (earlier) earlier.changes = earlier.changes.filter((told) => !speaksOf(told, change.scope, change.id, text));
      }
    }
    this.#records.apply(structuredClone(kept));
    this.#journal.push(deletes(kept) ? null : kept);
    for (const watcher of this.#watchers) watcher();
    return "committed";
  }

  async changesSince(revision: number): Promise<JournalEntry[] | null> {
    const since = this.#journal.slice(revision);
    return since.includes(null) || revision > this.#journal.length ? null : structuredClone(since as JournalEntry[]);
  }

  async close(): Promise<void> {}

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }
}
