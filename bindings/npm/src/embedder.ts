/** A model of the caller's own: texts in, a vector each out. */
export interface Embedder {
  /** Which model it is. Vectors of different models are never compared. */
  readonly name: string;
  /** A vector for each text, in their order, all of one length, 1 to 4,096. At most 64 texts at a time. */
  embed(texts: string[]): Promise<Float32Array[]>;
}

/** The token table that comes with the package: the same vectors as in the native program, and no model beside it. */
export interface StaticEmbedder {
  readonly kind: "static";
  /** The table's bytes. Called once, when a memory is opened. */
  bytes(): Promise<Uint8Array>;
}

/** What {@link open} takes as an embedder: the table, a model, a plain function, or `null` for words and links alone. */
export type EmbedderOption = StaticEmbedder | Embedder | ((texts: string[]) => Promise<Float32Array[]>) | null;

export function isStatic(embedder: EmbedderOption): embedder is StaticEmbedder {
  return typeof embedder === "object" && embedder !== null && "kind" in embedder;
}

/** A function of the caller's as an embedder; a name keeps its vectors apart from another's. */
export function named(embedder: Embedder | ((texts: string[]) => Promise<Float32Array[]>)): Embedder {
  if (typeof embedder !== "function") return embedder;
  return { name: embedder.name || "custom", embed: embedder };
}
