// What waits for a human's decision. Nothing is deleted but by these buttons.
import { acting, at, badge, el, say } from "./dom.js";
import { age, brief, date, DAY, memories, span } from "./words.js";

const DONE = { approve: "Deleted, with its earlier versions.", reject: "Kept.", pin: "Pinned: it stays hot." };

export function reviewPanel(page) {
  const list = at("review");

  async function again() {
    const [{ items, total }, stats] = await Promise.all([page.client.review(), page.client.stats()]);
    at("review-count").textContent = total ? total.toLocaleString("en") : "";
    at("maintained").textContent = stats.maintained_at ? `Last maintained ${ago(stats.maintained_at)}.` : "Never maintained yet.";
    list.replaceChildren(...items.map(card));
    if (!items.length) list.append(el("li", { class: "empty", text: "Nothing waits for you." }));
    if (total > items.length) list.append(el("li", { class: "quiet", text: `and ${memories(total - items.length)} more` }));
    page.lockWrites();
  }

  function card(item) {
    const { proposal, memory, retention, versions, holds } = item;
    const merge = proposal.action === "merge";
    const act = (decision, text, kind) =>
      el("button", { type: "button", class: `write ${kind}`, "aria-label": `${text}: ${brief(memory.content, 40)}`, text, onclick: (event) => acting(event.currentTarget, async () => {
        const { deleted } = await page.client.decide(item, decision);
        say(decision === "approve" && !deleted.length ? "It has been used since: it stays." : DONE[decision]);
        await page.changed();
      }) });
    return el("li", { class: "proposal", "data-id": memory.id },
      el("div", { class: "hit-head" }, badge(memory.tier, memory.state), el("span", { class: "quiet", text: `${memory.kind} · unused for ${span((Date.now() - memory.last_accessed_at) / DAY)}` })),
      el("button", { type: "button", class: "content", text: memory.content, onclick: () => page.select(memory.id) }),
      el("p", { class: "quiet", text: `${merge ? `To be merged into “${brief(page.contentOf(proposal.into), 40)}”` : "To be deleted"}: ${proposal.reason}. Retention ${retention.toFixed(3)}, proposed ${date(proposal.proposed_at)}${versions ? `, with ${versions} earlier ${versions === 1 ? "version" : "versions"}` : ""}.` }),
      !holds && el("p", { class: "notice", text: "It has been used since it was proposed: approving leaves it." }),
      el("div", { class: "actions" }, act("approve", merge ? "Merge" : "Delete", "danger"), act("reject", "Keep", ""), act("pin", "Pin", "")));
  }

  at("maintain").addEventListener("click", (event) =>
    acting(event.currentTarget, async () => {
      const { moved, proposed } = await page.client.maintain();
      say(`${moved.length} moved between tiers, ${proposed.length} proposed.`);
      await page.changed();
    }),
  );
  return { again };
}

function ago(at) {
  const days = (Date.now() - at) / DAY;
  return days < 1 / 24 ? "just now" : `${age(days)} ago`;
}
