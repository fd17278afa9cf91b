// The slider that moves the clock ahead.
import { at, el } from "./dom.js";
import { date, DAY, span } from "./words.js";

/** The slider's end, in days. */
const REACH = 730;
const STOPS = [[0, "today"], [7, "1 wk"], [30, "1 mo"], [91, "3 mo"], [182, "6 mo"], [365, "1 y"], [730, "2 y"]];

/** Calls `move` with the days ahead, and the newest alone where it can't keep up. */
export function timeBar(page, move) {
  const slider = at("ahead");
  const told = at("ahead-told");
  let wanted = 0;
  let moving;

  async function follow() {
    for (let days; days !== wanted; ) {
      days = wanted;
      await move(days);
    }
    moving = undefined;
  }

  function set(days) {
    wanted = days;
    slider.value = placeOf(days);
    tell(days);
    document.body.classList.toggle("looking-ahead", days > 0);
    return (moving ??= follow());
  }

  function tell(days) {
    const words = days === 0 ? "Today" : `In ${span(days)}`;
    told.replaceChildren(el("b", { text: words }), days ? ` · ${date(Date.now() + days * DAY)}` : "");
    slider.setAttribute("aria-valuetext", `${words}, ${date(Date.now() + days * DAY)}`);
    for (const stop of at("stops").children) stop.setAttribute("aria-pressed", String(Number(stop.dataset.days) === days));
  }

  slider.addEventListener("input", () => void set(daysAt(Number(slider.value))));
  // A step of the keyboard is a day, however wide that is here.
  slider.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 30, PageDown: -30 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    void set(Math.min(REACH, Math.max(0, wanted + steps[event.key])));
  });
  at("stops").append(...STOPS.map(([days, text]) => el("button", { type: "button", "data-days": days, text, style: { left: `${(placeOf(days) / 1000) * 100}%` }, onclick: () => void set(days) })));
  at("back").addEventListener("click", () => {
    void set(0);
    slider.focus();
  });
  tell(0);
}

/** The near is wider than the far: most of what happens, happens in the first months. */
function daysAt(place) {
  return Math.round(REACH * (place / 1000) ** 2);
}

function placeOf(days) {
  return 1000 * Math.sqrt(days / REACH);
}
