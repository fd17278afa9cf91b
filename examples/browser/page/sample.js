// A few months of one small team's memories, as an export: told over time, so that some are fresh and some have faded.

const DAY = 86_400_000;

/** id, kind, category, importance, days since it was said, days since its last use, times recalled, content. */
const MEMORIES = [
  ["pricing", "decision", "strategy", 0.9, 21, 1, 6, "We bill by the outcome, not by the hour"],
  ["pilot", "decision", "strategy", 0.8, 12, 2, 3, "The first pilot with Northwind runs for six weeks and ends with a review"],
  ["northwind", "client", "fact", 0.75, 60, 2, 5, "Northwind is a shipping company in Rotterdam with 340 people"],
  ["marta", "person", "fact", 0.7, 58, 3, 4, "Marta leads operations at Northwind and decides about the pilot"],
  ["kickoff", "meeting", "fact", 0.5, 12, 12, 1, "Kick-off with Northwind: Marta wants a weekly report on late containers"],
  ["report", "task", "strategy", 0.65, 11, 4, 2, "Write the weekly report on late containers every Friday before noon"],
  ["short", "preference", "fact", 0.6, 40, 6, 2, "Marta prefers short summaries by email, three points at most"],
  ["lunch", "note", "fact", 0.2, 44, 44, 0, "Lunch with Marta was at the harbour; she recommended the mussels"],
  ["staging", "decision", "fact", 0.7, 30, 3, 3, "The staging database is wiped on Sundays"],
  ["deploy", "decision", "strategy", 0.75, 70, 5, 4, "We deploy on Wednesdays, after the stand-up and never on Fridays"],
  ["deploy-old", "decision", "strategy", 0.6, 160, 71, 2, "We deploy on Mondays, after the stand-up"],
  ["pool", "failure", "failure", 0.7, 9, 1, 3, "The connection pool of the import job timed out after 3000 ms under load"],
  ["pool-fix", "strategy", "strategy", 0.7, 8, 1, 2, "Raise max_connections to 50 and retry with backoff when the pool times out"],
  ["tls", "failure", "failure", 0.35, 75, 75, 0, "The TLS certificate of the staging host had expired"],
  ["flaky", "failure", "failure", 0.3, 52, 50, 1, "test_container_dates fails when the machine's time zone is Kolkata"],
  ["rust", "decision", "strategy", 0.65, 95, 20, 2, "The matching engine is written in Rust; the dashboards stay in TypeScript"],
  ["postgres", "decision", "fact", 0.6, 100, 24, 2, "PostgreSQL 17 holds everything; no second database before there is a need"],
  ["budget", "note", "assumption", 0.45, 33, 28, 1, "The budget for cloud costs is probably 2,000 euros a month"],
  ["hiring", "task", "strategy", 0.5, 26, 15, 1, "Look for a second data engineer, part time, from spring on"],
  ["jun", "person", "fact", 0.55, 62, 9, 3, "Jun reviews the data models and works from Seoul"],
  ["jun-time", "preference", "fact", 0.5, 45, 18, 1, "Jun은 오전 회의를 선호한다 (morning meetings, Seoul time)"],
  ["office", "note", "fact", 0.25, 66, 66, 0, "The office plants are watered by whoever comes first on Tuesday"],
  ["wifi", "note", "fact", 0.15, 90, 90, 0, "The guest Wi-Fi was down on the third floor"],
  ["logo", "note", "assumption", 0.2, 80, 78, 0, "The logo may become green"],
  ["retro", "meeting", "fact", 0.4, 30, 29, 0, "Retrospective: fewer meetings, more written decisions"],
  ["handover", "note", "strategy", 0.95, 50, 3, 7, "Never give a client's data to another client, whatever they sign"],
];

const PINNED = new Set(["handover"]);
const SUPERSEDED = { "deploy-old": "deploy" };

/** from, to, relation, weight, days since its last use. */
const EDGES = [
  ["pilot", "northwind", "with", 2, 2],
  ["pilot", "pricing", "follows-from", 1.5, 2],
  ["marta", "northwind", "works-at", 2, 3],
  ["kickoff", "pilot", "about", 1, 12],
  ["kickoff", "marta", "with", 1, 12],
  ["report", "kickoff", "agreed-in", 1.2, 4],
  ["report", "marta", "for", 1, 4],
  ["short", "marta", "of", 1.2, 6],
  ["lunch", "marta", "with", 0.4, 44],
  ["pool-fix", "pool", "mends", 2, 1],
  ["pool", "postgres", "semantic", 0.3, 9],
  ["staging", "deploy", "semantic", 0.28, 5],
  ["tls", "staging", "semantic", 0.25, 75],
  ["deploy", "deploy-old", "supersedes", 1, 70],
  ["deploy", "rust", "semantic", 0.22, 20],
  ["flaky", "report", "semantic", 0.2, 50],
  ["rust", "postgres", "semantic", 0.27, 24],
  ["budget", "postgres", "semantic", 0.21, 28],
  ["jun", "postgres", "reviews", 1, 9],
  ["jun-time", "jun", "of", 1, 18],
  ["hiring", "jun", "asks", 0.6, 15],
  ["retro", "kickoff", "follows", 0.5, 29],
  ["handover", "northwind", "binds", 1.5, 3],
  ["handover", "pricing", "semantic", 0.24, 3],
  ["office", "lunch", "semantic", 0.2, 66],
];

export const FIRST = `sample:${MEMORIES[0][0]}`;

/** The sample as JSON Lines, told up to `now`. */
export function sample(now) {
  const scope = "default";
  const id = (name) => `sample:${name}`;
  const ago = (days) => now - days * DAY;
  const memories = MEMORIES.map(([name, kind, category, importance, said, used, recall_count, content]) => {
    const by = SUPERSEDED[name];
    const state = by ? { state: "superseded", by: id(by), at: ago(used) } : { state: "active" };
    const created = { occurred_at: ago(said), created_at: ago(said), updated_at: ago(said), valid_from: ago(said) };
    const use = { last_accessed_at: ago(used), recall_count, version: 1, tier: "hot" };
    return { record: "memory", scope, id: id(name), kind, category, content, importance, pinned: PINNED.has(name), tags: ["sample"], source: { client: "inspector" }, ...created, ...use, ...state };
  });
  const edges = EDGES.map(([from, to, relation, weight, used]) => ({
    record: "edge",
    scope,
    from: id(from),
    to: id(to),
    relation,
    weight,
    created_at: ago(used),
    reinforced_at: ago(used),
  }));
  return [...memories, ...edges].map((record) => `${JSON.stringify(record)}\n`).join("");
}
