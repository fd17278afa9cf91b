// Builds what is published: `cargo xtask npm` runs it once the module is made.
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { module } from "./listing.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
rmSync(at("dist"), { recursive: true, force: true });
mkdirSync(at("dist"), { recursive: true });
cpSync(at("src/wasm/ebbtrace_wasm_bg.wasm"), at("dist/ebbtrace.wasm"));
cpSync(at("../../core/models/static-multi-v1.bin"), at("dist/model.bin"));
cpSync(at("../../core/models/NOTICE"), at("NOTICE"));
cpSync(at("../../LICENSE"), at("LICENSE"));
writeFileSync(at("src/tools/listing.ts"), module());

const common = { bundle: true, target: "es2022", legalComments: "none", minify: true, keepNames: true, logLevel: "warning" };
const entries = (names) => names.map((name) => at(`src/${name}.ts`));
await build({ ...common, entryPoints: entries(["browser", "slim", "tools"]), format: "esm", platform: "browser", outdir: at("dist") });
await build({ ...common, entryPoints: entries(["node"]), format: "esm", platform: "node", outdir: at("dist") });
await build({
  ...common,
  entryPoints: entries(["node", "slim", "tools"]),
  format: "cjs",
  platform: "node",
  outdir: at("dist"),
  outExtension: { ".js": ".cjs" },
  define: { "import.meta.url": "ebbtraceUrl" },
  banner: { js: 'const ebbtraceUrl = require("node:url").pathToFileURL(__filename).href;' },
});

const tsc = at("node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", at("."), "--outDir", at("dist/types")], { stdio: "inherit" });
// The same types for `require`, which takes a module's kind from the nearest package.json.
cpSync(at("dist/types"), at("dist/types-cjs"), { recursive: true });
writeFileSync(at("dist/types-cjs/package.json"), '{ "type": "commonjs" }\n');
