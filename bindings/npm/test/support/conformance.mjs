// Where the cases and the operations are.
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../../../tests/conformance/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

/** The files of cases, by topic. */
export function topics() {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json") && name !== "skip.json");
  return Object.fromEntries(names.map((name) => [name.slice(0, -5), read(name)]));
}

/** What that host does not do yet. */
export function skips(host) {
  return read("skip.json").filter((skip) => skip.host === host);
}

/** The operations that `cargo xtask test` has the native program write; undefined where nobody did. */
export function operationLines() {
  const path = process.env.EBBTRACE_OPERATIONS;
  return path === undefined ? undefined : readFileSync(path, "utf8").split("\n").filter(Boolean);
}

export const NO_OPERATIONS = "EBBTRACE_OPERATIONS names no file; `cargo run -p ebbtrace-tests --bin operations FILE` writes one";
