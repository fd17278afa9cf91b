// One memory: what it says, how it fades, what it said before, what is linked to it, and what can be done with it.
import { acting, at, badge, el, fill, say } from "./dom.js";
import { age, brief, count, date, DAY, span, TIERS } from "./words.js";

/** How far the band of fading reaches, in days: as far as the slider. */
const REACH = 730;

export function detailPanel(page) {
  const panel = at("detail");
  let shown;
  /** The newest request: what an older one finds comes too late. */
  let asking = 0;

  async function show(id) {
    shown = id;
    asking += 1;
    const mine = asking;
    let told;
    try {
      const { client } = page;
      told = await Promise.all([client.get(id), client.history(id), client.forecast(id), client.neighbors(id)]);
    } catch (error) {
      if (mine !== asking) return;
      close();
      // It was deleted meanwhile, here or in another tab.
      if (error.code !== "not_found") throw error;
      return;
    }
    if (mine !== asking) return;
    draw(...told);
  }

  function draw(memory, history, forecast, { items: neighbors, total }) {
    const current = memory.state !== "superseded";
    const { id } = memory;
    const again = () => page.changed();
    const act = (text, call, done) =>
      el("button", { type: "button", class: "write", text, onclick: (event) => acting(event.currentTarget, async () => {
        await call();
        say(done);
        await again();
      }) });
    const restful = memory.state === "active" ? act("Forget", () => page.client.forget(id), "Archived. Nothing was deleted.") : act("Bring back", () => page.client.restore(id), "It is current again.");
    fill(
      panel,
      el("header", {},
        el("div", { class: "badges" }, badge(page.tierOf(id) ?? forecast.tier, memory.state), memory.pinned && el("span", { class: "badge pinned", text: "pinned" }), memory.state === "proposed" && el("span", { class: "badge proposed", text: "waits for you" })),
        el("button", { type: "button", class: "plain close", "aria-label": "Close the details", text: "×", onclick: close })),
      el("p", { class: "text", tabindex: "-1" }, memory.content),
      el("div", { class: "actions" },
        act(memory.pinned ? "Unpin" : "Pin", () => page.client.pin(id, !memory.pinned), memory.pinned ? "Unpinned: it fades again." : "Pinned: it stays hot."),
        current && act("Reinforce", () => page.client.reinforce(id), "Its clock starts anew."),
        restful),
      current && fading(forecast, memory.pinned),
      facts(memory),
      history.versions.length > 1 && said(history),
      linked(neighbors, total),
      connecting(id),
    );
    panel.hidden = false;
    document.body.classList.add("detailed");
    page.lockWrites();
  }

  function facts(memory) {
    const { source } = memory;
    const rows = [
      ["kind", memory.kind],
      ["category", memory.category],
      ["importance", el("span", { class: "gauge" }, el("span", { class: "bar", "aria-hidden": "true" }, el("i", { style: { width: `${memory.importance * 100}%` } })), String(memory.importance))],
      ["said", date(memory.occurred_at)],
      ["last used", age((Date.now() - memory.last_accessed_at) / DAY) + (memory.last_accessed_at < Date.now() - DAY / 24 ? " ago" : "")],
      ["recalled", count(memory.recall_count, "time")],
      ["author", memory.author],
      ["session", source.session],
      ["from", source.uri ?? source.client],
      ["tags", memory.tags?.length && memory.tags.map((tag) => el("span", { class: "chip", text: tag }))],
      ["metadata", memory.metadata && Object.keys(memory.metadata).length > 0 && el("code", { text: JSON.stringify(memory.metadata) })],
      ["id", el("code", { text: memory.id })],
    ];
    return el("dl", { class: "facts" }, rows.filter(([, value]) => value).map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", {}, value))));
  }

  /** The band from hot to frozen, if nothing is used any more, and where the slider stands in it. */
  function fading(forecast, pinned) {
    const ends = [forecast.warm ?? Infinity, forecast.cold ?? Infinity, forecast.frozen ?? Infinity];
    const starts = [0, ...ends];
    const bands = TIERS.map((tier, place) => {
      const from = Math.min(starts[place], REACH);
      const to = Math.min(ends[place] ?? Infinity, REACH);
      return to > from && el("i", { class: `band ${tier}`, title: tier, style: { left: `${scaled(from)}%`, width: `${scaled(to) - scaled(from)}%` } });
    });
    const words = TIERS.slice(1)
      .map((tier, place) => [tier, ends[place]])
      .filter(([, days]) => days > 0 && days !== Infinity)
      .map(([tier, days]) => `${tier} in ${span(days)}`);
    const told = pinned ? "Pinned: it stays hot." : words.length ? `If nothing is used: ${words.join(", ")}.` : forecast.tier === "frozen" ? "It has faded." : "It stays as it is.";
    return el("section", { class: "fading" },
      el("h3", { text: "How it fades" }),
      el("div", { class: "bands", "aria-hidden": "true" }, bands, el("b", { class: "hand", style: { left: `${scaled(page.ahead)}%` } })),
      el("p", { class: "quiet", text: told }));
  }

  function said({ versions }) {
    const since = ({ since, until }) => (until ? `${date(since)} to ${date(until)}` : `since ${date(since)}`);
    return el("section", {},
      el("h3", { text: "What it said before" }),
      el("ol", { class: "history" }, versions.toReversed().map((version) => el("li", { class: version.until ? "before" : "now" }, el("p", { text: version.content }), el("small", { text: `${since(version)}${version.ended ? ` · ${version.ended}` : ""}` })))));
  }

  function linked(neighbors, total) {
    if (!total) return el("section", {}, el("h3", { text: "Links" }), el("p", { class: "quiet", text: "None yet." }));
    return el("section", {},
      el("h3", { text: `Links (${total})` }),
      el("ul", { class: "links" }, neighbors.map(({ memory, relation, outgoing, weight, tier }) =>
        el("li", {},
          el("button", { type: "button", class: "link", onclick: () => page.select(memory.id) },
            el("i", { class: `shape ${memory.state === "superseded" ? "superseded" : tier}`, "aria-hidden": "true" }),
            el("span", { text: brief(memory.content, 70) })),
          el("small", { text: `${outgoing ? "→" : "←"} ${relation} · ${weight.toFixed(2)}` })))));
  }

  function connecting(from) {
    const others = page.nodes().filter(({ id, state }) => id !== from && state !== "superseded");
    if (!others.length) return null;
    const form = el("form", { class: "connect" },
      el("label", {}, "to", el("select", { name: "to", required: true }, others.map(({ id, content }) => el("option", { value: id, text: brief(content, 60) })))),
      el("label", {}, "relation", el("input", { name: "relation", value: "related", required: true, maxlength: 64, autocomplete: "off" })),
      el("label", {}, "weight", el("input", { name: "weight", type: "number", min: 0.1, max: 10, step: 0.1, value: 1, required: true })),
      el("button", { type: "submit", class: "write", text: "Connect" }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { to, relation, weight } = Object.fromEntries(new FormData(form));
      void acting(form.querySelector("button"), async () => {
        const { created } = await page.client.connect(from, to, { relation, weight: Number(weight) });
        say(created ? "Connected." : "They were connected; the clock of their link starts anew.");
        await page.changed();
      });
    });
    return el("details", {}, el("summary", { text: "Connect to another" }), form);
  }

  function close() {
    asking += 1;
    shown = undefined;
    panel.hidden = true;
    panel.replaceChildren();
    document.body.classList.remove("detailed");
    page.deselected();
  }

  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });

  return {
    show,
    close,
    get id() {
      return shown;
    },
    again: async () => {
      if (shown !== undefined) await show(shown);
    },
    /** Moves the hand of the band, without asking anew. */
    moved() {
      const hand = panel.querySelector(".hand");
      hand?.style.setProperty("left", `${scaled(page.ahead)}%`);
      const old = panel.querySelector(".badges .badge:not(.pinned):not(.proposed):not(.superseded)");
      const tier = shown !== undefined && page.tierOf(shown);
      if (old && tier) old.replaceWith(badge(tier));
    },
  };
}

/** A number of days as a place in the band, in percent. The near is wider than the far. */
function scaled(days) {
  return 100 * Math.sqrt(Math.min(days, REACH) / REACH);
}
