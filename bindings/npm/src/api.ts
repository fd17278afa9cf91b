/** What every entry of the package gives beside its own `open`. */
export { EbbtraceError } from "./errors.js";
export type { Embedder, EmbedderOption, StaticEmbedder } from "./embedder.js";
export { Memory } from "./memory.js";
export type { OpenOptions } from "./open.js";
export type {
  Category,
  Change,
  Edge,
  JournalEntry,
  Json,
  Memory as MemoryRecord,
  Proposal,
  Source,
  State,
  StoredRecord,
  Tier,
} from "./records.js";
export type { CommitAnswer, Store } from "./store.js";
export { IndexedDbStore, type IndexedDbOptions } from "./stores/indexeddb.js";
export { MemoryStore } from "./stores/memory.js";
export type * from "./types.js";
