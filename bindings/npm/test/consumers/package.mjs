// The packed package, installed the way that a consumer installs it.
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const NPM = process.platform === "win32" ? "npm.cmd" : "npm";

/** Packs (or takes what EBBTRACE_TARBALL names), installs into a folder of its own and copies the consumers there. */
export async function installed() {
  const folder = await mkdtemp(join(tmpdir(), "ebbtrace-consumers-"));
  const tarball = process.env.EBBTRACE_TARBALL ?? (await packed(folder));
  for (const name of ["use.js", "node-esm", "node-cjs", "page", "vite", "webpack", "types"]) {
    await cp(join(here, name), join(folder, name), { recursive: true });
  }
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  // Vite serves what is in its own project.
  for (const project of [folder, join(folder, "vite")]) {
    await run(NPM, ["install", "--offline", "--no-save", "--no-audit", "--no-fund", tarball], { cwd: project });
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function packed(folder) {
  const { stdout } = await run(NPM, ["pack", "--silent", "--pack-destination", folder], { cwd: join(here, "../..") });
  return join(folder, stdout.trim().split("\n").at(-1));
}

/** Runs a program of Node's in a folder; what it wrote. */
export async function node(folder, args, env = {}) {
  const { stdout } = await run(process.execPath, args, { cwd: folder, env: { ...process.env, ...env } });
  return stdout;
}
