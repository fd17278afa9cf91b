// Light, dark, or as the system has it. Runs before anything is drawn.
const root = document.documentElement;
const told = () => {
  try {
    return localStorage.getItem("theme");
  } catch {
    // Storage is blocked here: as the system has it.
    return null;
  }
};
if (told()) root.dataset.theme = told();

export function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function toggle() {
  root.dataset.theme = isDark() ? "light" : "dark";
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    // It lasts as long as the page does.
  }
}
