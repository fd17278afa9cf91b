// What every consumer does with the package, in the host's default store: the second run finds what the first one left.
export async function use(open) {
  const memory = await open();
  const before = (await memory.stats()).memories;
  await memory.remember("We bill by the outcome, not by the hour", { id: "decision:pricing", kind: "decision" });
  await memory.remember("The staging database is wiped on Sundays", { id: "staging" });
  const found = await memory.recall("when is staging wiped?");
  const [best] = found.hits;
  const result = {
    before,
    best: best?.memory.id,
    matched: best?.matched,
    tokens: best?.score.tokens > 0,
    foreign: (await memory.recall("quantum chromodynamics lattice", { peek: true })).hits.length,
    digest: await memory.digest(),
  };
  await memory.close();
  return result;
}
