// Puts the page's parts together: one client, one graph, and the panels around it.
import { openClient } from "./client.js";
import { detailPanel } from "./detail.js";
import { acting, at, el, failed, say } from "./dom.js";
import { graphView } from "./graph.js";
import { listPanel } from "./list.js";
import { offline } from "./offline.js";
import { recallPanel } from "./recall.js";
import { rememberPanel } from "./remember.js";
import { reviewPanel } from "./review.js";
import { FIRST, sample } from "./sample.js";
import { tabs } from "./tabs.js";
import { toggle } from "./theme.js";
import { timeBar } from "./time.js";
import { date, memories, TIERS } from "./words.js";

/** How many memories are drawn at once; a canvas of thousands shows nothing. */
const DRAWN = 120;

const client = openClient();
let drawn = { total: 0, nodes: [], edges: [] };
let byId = new Map();
let today = {};
/** What must be drawn whatever its rank: what was found and what is shown. */
let wanted = [];
let refreshing;
let stale = false;

/** What the panels know of the page. */
const page = {
  client,
  ahead: 0,
  nodes: () => drawn.nodes,
  tierOf: (id) => byId.get(id)?.tier ?? undefined,
  contentOf: (id) => byId.get(id)?.content ?? id,
  changed: () => refresh(),
  async select(id) {
    try {
      if (!byId.has(id)) await want([...wanted, id]);
      graph.choose(id);
      await detail.show(id);
    } catch (error) {
      failed(error);
    }
  },
  deselect: () => detail.close(),
  deselected: () => graph.choose(undefined),
  found(hits) {
    const ids = hits.map(({ memory }) => memory.id);
    const missing = hits.flatMap(({ memory, path }) => [memory.id, ...path]).filter((id) => !byId.has(id));
    const ready = missing.length ? want([...new Set([...ids, ...missing])]) : Promise.resolve();
    void ready.then(() => graph.found(hits)).catch(failed);
  },
  lockWrites() {
    for (const element of document.querySelectorAll(".write")) element.disabled = page.ahead > 0;
  },
};

const graph = graphView(page);
const detail = detailPanel(page);
const list = listPanel(page);
const review = reviewPanel(page);
const recall = recallPanel(page);
rememberPanel(page);
tabs();
timeBar(page, look);
/** For the console: the memory that this page shows. */
globalThis.inspector = { client };

async function want(ids) {
  wanted = ids;
  await draw();
}

async function draw() {
  drawn = await client.graph({ limit: DRAWN, with: wanted });
  byId = new Map(drawn.nodes.map((node) => [node.id, node]));
  await graph.show(drawn);
  list.again();
  at("drawn").textContent = drawn.total > drawn.nodes.length ? `${drawn.nodes.length} of ${memories(drawn.total)} drawn` : "";
  document.body.classList.toggle("empty", drawn.total === 0);
}

/** Brings everything up to date. Of calls during one, the last alone is followed by another. */
function refresh() {
  stale = true;
  refreshing ??= (async () => {
    try {
      while (stale) {
        stale = false;
        await draw();
        await figures();
        await review.again();
        await detail.again();
      }
    } catch (error) {
      failed(error);
    } finally {
      refreshing = undefined;
    }
  })();
  return refreshing;
}

/** The figures of the header and the legend; while ahead, with what differs from today. */
async function figures() {
  const stats = await client.stats();
  if (page.ahead === 0) today = stats.tiers;
  for (const tier of TIERS) {
    const entry = at(`count-${tier}`);
    const more = page.ahead ? stats.tiers[tier] - today[tier] : 0;
    entry.replaceChildren(stats.tiers[tier].toLocaleString("en"));
    if (more) entry.append(el("small", { text: ` ${more > 0 ? "+" : "−"}${Math.abs(more).toLocaleString("en")}` }));
  }
  at("count-superseded").textContent = (stats.states.superseded ?? 0).toLocaleString("en");
  const figure = (name, value) => el("div", {}, el("dd", { text: value }), el("dt", { text: name }));
  at("stats").replaceChildren(
    figure(stats.memories === 1 ? "memory" : "memories", stats.memories.toLocaleString("en")),
    figure("links", stats.edges.toLocaleString("en")),
    figure("pinned", stats.pinned.toLocaleString("en")),
    figure("archived", stats.archived.toLocaleString("en")),
    figure("mean strength", stats.average_strength.toFixed(2)),
  );
}

async function has(id) {
  try {
    return Boolean(await client.get(id));
  } catch (error) {
    if (error.code === "not_found") return false;
    throw error;
  }
}

/** Moves the clock ahead, or back to today. */
async function look(days) {
  page.ahead = days;
  client.lookAhead(days);
  try {
    await draw();
    await figures();
    detail.moved();
    page.lockWrites();
    await recall.again();
    at("ahead").dataset.shown = String(days);
  } catch (error) {
    failed(error);
  }
}

async function scopes() {
  const names = await client.scopes();
  const select = at("scope");
  const before = select.value || "default";
  select.replaceChildren(...[...new Set(["default", ...names])].map((name) => el("option", { value: name, text: name })));
  select.value = names.includes(before) ? before : "default";
  select.closest("label").hidden = select.options.length < 2;
}

at("scope").addEventListener("change", async ({ target }) => {
  client.use(target.value);
  wanted = [];
  recall.clear();
  detail.close();
  await refresh();
});

for (const button of document.querySelectorAll(".sample")) {
  button.addEventListener("click", () =>
    acting(button, async () => {
      client.use("default");
      at("scope").value = "default";
      if (await has(FIRST)) return say("The sample is loaded already.");
      await client.importText(sample(Date.now()));
      await client.maintain();
      say("A small team's memories were loaded.");
      await refresh();
      graph.fit(true);
    }),
  );
}

at("export").addEventListener("click", (event) =>
  acting(event.currentTarget, async () => {
    const text = await client.exportText();
    const address = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
    const name = `ebbtrace-${new Date().toISOString().slice(0, 10)}.jsonl`;
    el("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    say(`Everything, in all scopes, was exported on ${date(Date.now())}.`);
  }),
);

at("import").addEventListener("click", () => at("import-file").click());
at("import-file").addEventListener("change", ({ target }) =>
  acting(at("import"), async () => {
    const [file] = target.files;
    target.value = "";
    if (!file) return;
    const { records, memories: plain, redacted } = await client.importText(await file.text());
    const secrets = redacted ? `, ${redacted} secrets left out` : "";
    say(`${file.name}: ${records.toLocaleString("en")} records and ${memories(plain.length)} taken in${secrets}.`);
    await scopes();
    await refresh();
    graph.fit(true);
  }),
);

at("theme").addEventListener("click", () => {
  toggle();
  graph.paint();
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  at("tab-recall").click();
  at("query").focus();
});

try {
  await scopes();
  await refresh();
  document.body.dataset.ready = "yes";
  client.subscribe(() => void refresh());
} catch (error) {
  failed(error);
} finally {
  at("loading").remove();
}
void offline();
