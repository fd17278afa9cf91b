// What the tests in Chromium share: one browser and one server for a file of tests; contexts are like new profiles.
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, pageOf } from "../support/chromium.mjs";
import { serve } from "../support/server.mjs";

export const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/** Starts both before the tests of a file, and ends them after. */
export function host() {
  const told = {};
  before(async () => {
    [told.browser, told.server] = await Promise.all([launch(), serve(PACKAGE)]);
    told.origin = told.server.origin;
  });
  after(async () => {
    await told.browser?.close();
    await told.server?.close();
  });
  told.context = async (context) => {
    const fresh = await told.browser.newContext();
    context.after(() => fresh.close());
    return fresh;
  };
  told.tab = (context) => tabOf(context, told.origin);
  return told;
}

/** A tab with the library in it. */
export async function tabOf(context, origin) {
  const { page, faults } = await pageOf(context);
  await page.goto(`${origin}/test/browser/page.html`);
  await page.waitForFunction(() => globalThis.ready);
  page.faults = faults;
  return page;
}
