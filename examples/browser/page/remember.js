// Storing a memory.
import { acting, at, say } from "./dom.js";

const TOLD = {
  created: "Stored.",
  reinforced: "Known already: counted, not stored twice.",
  merged: "Merged with what was known of it.",
  replaced: "It replaces what was known, which stays readable in its history.",
  updated: "The memory with that id was edited; its earlier text is kept.",
  echo: "That was just recalled: nothing is stored anew.",
  outdated: "What is known is newer: kept behind it.",
};

export function rememberPanel(page) {
  const form = at("remember-form");
  const importance = form.elements.importance;
  const tell = () => (at("importance-told").textContent = Number(importance.value).toFixed(2));
  importance.addEventListener("input", tell);
  form.addEventListener("reset", () => setTimeout(tell));

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void acting(at("remember-button"), async () => {
      const { content, kind, category, tags, pinned } = Object.fromEntries(new FormData(form));
      const input = { content, kind: kind.trim() || "note", category, importance: Number(importance.value), client: "inspector" };
      const labels = tags.split(",").map((tag) => tag.trim()).filter(Boolean);
      if (labels.length) input.tags = labels;
      if (pinned) input.pinned = true;
      const { id, resolution, reason, redacted } = await page.client.remember(input);
      const secrets = redacted ? ` ${redacted === 1 ? "A secret was" : `${redacted} secrets were`} left out.` : "";
      say(`${TOLD[resolution] ?? resolution}${resolution === "created" ? "" : ` (${reason})`}${secrets}`);
      form.reset();
      await page.changed();
      await page.select(id);
      form.elements.content.focus();
    });
  });
}
