// Every example of the README is right by the types of this package and of the frameworks.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
// Within this folder, so that the frameworks are found.
const FOLDER = fileURLToPath(new URL(".readme", import.meta.url));
const CONFIG = {
  compilerOptions: {
    target: "ES2023",
    module: "ESNext",
    moduleResolution: "bundler",
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    types: [],
    strict: true,
    // They are JavaScript: parameters have no types.
    noImplicitAny: false,
    skipLibCheck: true,
    noEmit: true,
    paths: {
      ebbtrace: ["../../../dist/types/node.d.ts"],
      "ebbtrace/slim": ["../../../dist/types/slim.d.ts"],
      "ebbtrace/tools": ["../../../dist/types/tools.d.ts"],
    },
  },
  include: ["*.ts"],
};

/** What the compiler says of some modules; empty where all is right. */
function compiled(t, modules) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  t.after(() => rmSync(FOLDER, { recursive: true, force: true }));
  writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify(CONFIG));
  for (const [name, code] of Object.entries(modules)) writeFileSync(join(FOLDER, `${name}.ts`), code);
  const compiler = join(PACKAGE, "node_modules/typescript/bin/tsc");
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, "-p", FOLDER], { encoding: "utf8" });
  return stdout + stderr;
}

test("the README's examples compile against the package and the frameworks", (t) => {
  const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  assert.equal(blocks.length, 14);
  const page = /<script type="module">\n([\s\S]*?)<\/script>/.exec(readme)[1].replace("./node_modules/ebbtrace/dist/browser.js", "ebbtrace");
  const modules = Object.fromEntries([...blocks, page].map((code, index) => [`example${index + 1}`, code]));
  assert.equal(compiled(t, modules), "");
});

test("what a framework would not take does not compile", (t) => {
  const before = 'import { open } from "ebbtrace";\nimport { memoryTools, toAiSdk, toLangChain, toAnthropic } from "ebbtrace/tools";\nconst memory = await open();\n';
  const wrong = {
    verb: `${before}memoryTools(memory, { verbs: ["decide"] });\n`,
    handed: `${before}toAiSdk(memoryTools(memory), {});\n`,
    form: `${before}import { generateText } from "ai";\nawait generateText({ model: "m", prompt: "p", tools: toAnthropic(memoryTools(memory)) });\n`,
  };
  const said = compiled(t, wrong);
  for (const name of Object.keys(wrong)) assert.match(said, new RegExp(`${name}\\.ts\\(\\d+,\\d+\\): error TS`), said);
});
