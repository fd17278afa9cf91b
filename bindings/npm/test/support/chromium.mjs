// The real browser: the Chromium that the system has, or the one that CHROMIUM names.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../consumers/package.json", import.meta.url))("playwright-core");
const ARGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"];

export const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export function launch() {
  return chromium.launch({ executablePath, args: ARGS });
}

/** A profile in a folder: what is stored in it outlives the browser. */
export function launchPersistent(folder) {
  return chromium.launchPersistentContext(folder, { executablePath, args: ARGS });
}

/** A page whose faults fail the test that asks for `faults`. */
export async function pageOf(context) {
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`${message.text()} (${message.location().url})`);
  });
  return { page, faults };
}
