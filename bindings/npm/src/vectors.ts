import type { RecallInput } from "./types.js";

/** How many of a scope's memories carry vectors, and which. */
export interface Vectors {
  memories: number;
  kinds: [{ model: string; dimension: number }, number][];
}

/**
 * Takes the query's vector out where too few memories have one to compare it with: beside those that have, the others
 * would be judged by less. Says what the caller should know of that.
 */
export function fit({ memories, kinds }: Vectors, input: RecallInput): string | undefined {
  const raw = input.embedding;
  if (!raw) {
    const count = kinds.reduce((sum, [, count]) => sum + count, 0);
    return kinds[0] && `${count} of ${memories} memories carry vectors of another embedder (${kinds[0][0].model}), which are not in use here: found by words, links and the token table. Open with that embedder, or drop them with \`reembed\`.`;
  }
  const { model } = raw;
  const dimension = raw.values.length;
  const same = kinds.find(([kind]) => kind.model === model && kind.dimension === dimension)?.[1] ?? 0;
  if (same === memories) return undefined;
  // One model has one dimension: the core refuses a vector of another.
  const other = kinds.some(([kind]) => kind.model === model && kind.dimension !== dimension);
  if (other || 2 * same < memories) delete input.embedding;
  return `${memories - same} of ${memories} memories carry no vector of this embedder (${model}): they are found by words, links and the token table. \`reembed\` gives them one.`;
}
