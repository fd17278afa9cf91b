// Chooses what of a scope is worth drawing.

const DAY = 86_400_000;
/** The engine's half-life of links: here only for how strong a line is drawn. */
const HALF_LIFE = 30;
const ORDER = { hot: 0, warm: 1, cold: 2, frozen: 3 };

/** At most `limit` memories, pinned and hot ones first and those `wanted` in any case, and the links between them. */
export function drawn(records, tiers, now, limit, wanted) {
  const memories = records.filter(({ record }) => record === "memory");
  const asked = new Set(wanted);
  const rank = ({ id, pinned }) => (asked.has(id) ? -2 : pinned ? -1 : (ORDER[tiers[id]] ?? 4));
  const chosen = memories
    .map((memory) => ({ memory, rank: rank(memory) }))
    .sort((a, b) => a.rank - b.rank || b.memory.importance - a.memory.importance || (a.memory.id < b.memory.id ? -1 : 1))
    .slice(0, limit);
  const ids = new Set(chosen.map(({ memory }) => memory.id));
  return {
    total: memories.length,
    nodes: chosen.map(({ memory: { id, content, kind, importance, pinned = false, state } }) => ({
      id,
      content: content.slice(0, 200),
      kind,
      importance,
      pinned,
      state,
      tier: tiers[id] ?? null,
    })),
    edges: records
      .filter((edge) => edge.record === "edge" && ids.has(edge.from) && ids.has(edge.to))
      .map(({ from, to, relation, weight, reinforced_at }) => {
        const age = Math.max(0, now - reinforced_at) / DAY;
        return { from, to, relation, weight, faded: weight * 2 ** (-age / HALF_LIFE) };
      }),
  };
}
