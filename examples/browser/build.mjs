// Puts the page together in `site/`: its own files, the package's and the graph library's. Nothing is bundled.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const PACKAGE = "../../bindings/npm/dist";
const GRAPH = "node_modules/cytoscape";

const copies = [
  ["page", "."],
  [`${PACKAGE}/browser.js`, "vendor/ebbtrace/browser.js"],
  [`${PACKAGE}/ebbtrace.wasm`, "vendor/ebbtrace/ebbtrace.wasm"],
  [`${PACKAGE}/model.bin`, "vendor/ebbtrace/model.bin"],
  [`${GRAPH}/dist/cytoscape.esm.min.mjs`, "vendor/cytoscape.js"],
  [`${GRAPH}/LICENSE`, "vendor/cytoscape.LICENSE"],
];
for (const [from] of copies) {
  if (existsSync(at(from))) continue;
  const step = from.startsWith(PACKAGE) ? "Build the package first: `cargo xtask npm`." : "Run `npm ci` here first.";
  console.error(`${from} is missing. ${step}`);
  process.exit(1);
}

rmSync(at("site"), { recursive: true, force: true });
mkdirSync(at("site"), { recursive: true });
for (const [from, to] of copies) cpSync(at(from), at(`site/${to}`), { recursive: true });

// The worker that serves the page offline knows its files by name, and its cache by what is in them.
const files = readdirSync(at("site"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== "sw.js" && !entry.name.endsWith("LICENSE"))
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(at("site/").length))
  .sort();
const hash = createHash("sha256");
for (const file of files) hash.update(`${file}\0`).update(readFileSync(at(`site/${file}`)));
const version = hash.digest("hex").slice(0, 16);
const worker = readFileSync(at("site/sw.js"), "utf8");
const lists = `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${JSON.stringify(["./", ...files], null, 2)};\n`;
writeFileSync(at("site/sw.js"), lists + worker);
console.log(`site/: ${files.length} files, version ${version}`);
