// The panels of the left side, one at a time.
export function tabs() {
  const list = [...document.querySelectorAll("[role=tab]")];
  const choose = (tab) => {
    for (const other of list) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
    }
  };
  for (const [place, tab] of list.entries()) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: list.length - 1 }[key];
      if (to === undefined) return;
      const next = list[(to + list.length) % list.length];
      choose(next);
      next.focus();
    });
  }
}
