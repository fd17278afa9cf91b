// The memories that are drawn, as a list: the graph for whoever does not use a pointer.
import { at, el } from "./dom.js";
import { brief, TIERS } from "./words.js";

export function listPanel(page) {
  const list = at("list");
  const filter = at("list-filter");

  function again() {
    const looked = filter.value.trim().toLowerCase();
    const nodes = page.nodes().filter(({ content, kind, id }) => `${content} ${kind} ${id}`.toLowerCase().includes(looked));
    const place = ({ tier, state }) => (state === "superseded" ? 4 : TIERS.indexOf(tier));
    nodes.sort((a, b) => place(a) - place(b) || b.importance - a.importance);
    list.replaceChildren(...nodes.map(item));
    if (!nodes.length) list.append(el("li", { class: "empty", text: looked ? "None of those drawn." : "Nothing is stored yet." }));
  }

  function item({ id, content, kind, tier, state, pinned }) {
    const shown = state === "superseded" ? "superseded" : tier;
    return el("li", {},
      el("button", { type: "button", class: "row", "data-id": id, onclick: () => page.select(id) },
        el("i", { class: `shape ${shown}`, "aria-hidden": "true" }),
        el("span", { class: "line", text: brief(content, 90) }),
        el("small", { text: `${shown}${pinned ? ", pinned" : ""} · ${kind}` })));
  }

  filter.addEventListener("input", again);
  return { again };
}
