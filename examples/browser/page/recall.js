// Asking the memory, and why each memory surfaced.
import { acting, at, badge, el, fill, marked } from "./dom.js";
import { age, brief, memories, PARTS } from "./words.js";

/** Parts of a score under this are not told. */
const TOLD = 0.004;

export function recallPanel(page) {
  const form = at("recall-form");
  const results = at("results");
  let asked;

  async function ask() {
    const { query, k, depth, peek } = Object.fromEntries(new FormData(form));
    if (!query.trim()) return;
    asked = { query, k: Number(k), ...(depth ? { depth } : {}), peek: peek === "on" };
    const started = performance.now();
    const recalled = await page.client.recall(asked);
    const took = Math.max(1, Math.round(performance.now() - started));
    show(recalled, took);
    page.found(recalled.hits);
  }

  function show({ hits, archived, notices }, took) {
    const time = took === undefined ? "" : ` in ${took} ms`;
    const summary = hits.length ? `${memories(hits.length)}${time}.` : "Nothing stored answers that.";
    const only = page.ahead > 0 || asked.peek ? " Only looked: nothing was kept fresh." : "";
    const more = archived > 0 ? `${archived} archived ${archived === 1 ? "memory matches" : "memories match"} too: look in “all, frozen too”.` : "";
    fill(
      results,
      el("div", { class: "summary" }, el("p", { role: "status" }, summary, only), el("button", { type: "button", class: "link", text: "Clear", onclick: clear })),
      ...notices.map((notice) => el("p", { class: "notice", text: notice })),
      el("ol", { class: "hits" }, hits.map((hit, place) => card(hit, place))),
      el("p", { class: "summary", text: more }),
    );
  }

  function card({ memory, score, matched, path, tier, age_days }, place) {
    const parts = Object.keys(PARTS).filter((part) => score[part] > TOLD).sort((a, b) => score[b] - score[a]);
    const most = Math.max(...parts.map((part) => score[part]), TOLD);
    const open = el("button", { type: "button", class: "content", onclick: () => page.select(memory.id) }, ...marked(memory.content, matched));
    return el(
      "li",
      { class: "hit", "data-id": memory.id },
      el("div", { class: "hit-head" },
        el("span", { class: "place", "aria-hidden": "true", text: place + 1 }),
        badge(tier, memory.state),
        el("span", { class: "quiet", text: `${memory.kind} · ${age(age_days)}` }),
        el("b", { class: "total", title: "Its score, of 1", "aria-label": `score ${score.total.toFixed(2)}`, text: score.total.toFixed(2) })),
      open,
      el("div", { class: "total-bar", "aria-hidden": "true" }, parts.map((part) => el("i", { class: `part-${part}`, style: { width: `${score[part] * 100}%` } }))),
      el("dl", { class: "parts" }, parts.map((part) => row(part, score[part], most))),
      matched.length > 0 && el("p", { class: "why" }, el("span", { class: "quiet", text: "matched " }), matched.map((word) => el("span", { class: "chip", text: word }))),
      path.length > 0 && el("p", { class: "why" }, el("span", { class: "quiet", text: "came by " }), ...steps([...path, memory.id])),
    );
  }

  function row(part, value, most) {
    const [name, title] = PARTS[part];
    return el("div", { title },
      el("dt", { text: name }),
      el("dd", {},
        el("span", { class: "bar", "aria-hidden": "true" }, el("i", { class: `part-${part}`, style: { width: `${(value / most) * 100}%` } })),
        el("span", { class: "value", text: value.toFixed(2) })));
  }

  /** The way through the graph, each step a button. */
  function steps(path) {
    const ids = path.filter((id, place) => id !== path[place - 1]);
    return ids.flatMap((id, place) => [
      place > 0 ? " → " : "",
      el("button", { type: "button", class: "link", onclick: () => page.select(id), text: brief(page.contentOf(id), 32) }),
    ]);
  }

  function clear() {
    asked = undefined;
    results.replaceChildren();
    page.found([]);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void acting(at("recall-button"), ask);
  });

  return {
    /** Asks again, as after the clock was moved; the clocks of what is found stay as they are. */
    async again() {
      if (!asked) return;
      const recalled = await page.client.recall({ ...asked, peek: true });
      show(recalled);
      page.found(recalled.hits);
    },
    clear,
  };
}
