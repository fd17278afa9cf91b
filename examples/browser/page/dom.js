// Elements without markup: whatever is stored reaches the page as text, never as HTML.

/**
 * An element with attributes and children. `on…` are listeners, `text` and strings among the children become text nodes.
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") children.unshift(String(value));
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [property, set] of Object.entries(value)) element.style.setProperty(property, set);
    else element.setAttribute(name, value === true ? "" : value);
  }
  return fill(element, ...children);
}

/** Puts children in the place of what an element holds; those that are not there are left out. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The element of the page with that id. */
export function at(id) {
  return document.getElementById(id);
}

/** Lets the page do what it has to before going on. */
export function breath() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** A text whose `words` are marked. */
export function marked(text, words) {
  const found = words.filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!found.length) return [text];
  // What was matched may be a stem: the rest of its word is marked with it.
  const pattern = new RegExp(`(${found.sort((a, b) => b.length - a.length).join("|")})[\\p{L}\\p{N}]*`, "giu");
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (/[\p{L}\p{N}]/u.test(text[match.index - 1] ?? " ") && !/[\u3040-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/u.test(match[0])) continue;
    parts.push(text.slice(from, match.index), el("mark", { text: match[0] }));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

/** A tier as a small label with its shape, so that colour is not all that tells it. */
export function badge(tier, state) {
  if (state === "superseded") return el("span", { class: "badge superseded", text: "superseded" });
  return el("span", { class: `badge ${tier}` }, el("i", { class: `shape ${tier}`, "aria-hidden": "true" }), tier);
}

/** Says something at the foot of the page, for a while; what went wrong stays until it is closed. */
export function say(text, { error = false, next = "" } = {}) {
  const note = el("div", { class: `note${error ? " error" : ""}` }, el("p", {}, text, next && el("small", { text: ` ${next}` })));
  note.append(el("button", { type: "button", class: "plain", "aria-label": "Close this message", onclick: () => note.remove(), text: "×" }));
  at("notes").append(note);
  if (!error) setTimeout(() => note.remove(), 5_000);
}

/** Tells what failed: what came, and what can be done. */
export function failed(error) {
  say(error.message, { error: true, next: error.nextStep ?? "" });
}

/** Runs an action of a button: the button rests meanwhile, and what fails is told. */
export async function acting(button, action) {
  button.disabled = true;
  try {
    await action();
  } catch (error) {
    failed(error);
  } finally {
    button.disabled = false;
  }
}
