// The package's types, as compilers of each kind of project find them; type tests with them, with and without skipping
// what libraries say.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { installed } from "./package.mjs";

const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
const common = {
  target: "ES2022", lib: ["ES2022", "ESNext.Disposable", "DOM"], types: [], strict: true, exactOptionalPropertyTypes: false, noEmit: true, skipLibCheck: false,
};

let consumers;
before(async () => {
  consumers = await installed();
});
after(() => consumers?.remove());

/** What the compiler says of the files in a project of that kind. */
async function compiled(name, options, files, type) {
  const folder = join(consumers.folder, "types");
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type }));
  const project = join(folder, `tsconfig.${name}.json`);
  await writeFile(project, JSON.stringify({ compilerOptions: { ...common, ...options }, files }));
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "-p", project, "--pretty", "false"], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, said: `${stdout}${stderr}` });
    });
  });
}

const KINDS = [
  ["bundler", { module: "ESNext", moduleResolution: "bundler", customConditions: ["browser"] }, ["use.ts"], "module"],
  ["bundler in a project of Node", { module: "ESNext", moduleResolution: "bundler", customConditions: ["node"] }, ["use.ts", "node.ts"], "module"],
  ["node16, ESM", { module: "node16", moduleResolution: "node16" }, ["use.ts", "node.ts"], "module"],
  ["node16, CJS", { module: "node16", moduleResolution: "node16" }, ["use.ts", "node.ts"], "commonjs"],
];
for (const [name, options, files, type] of KINDS) {
  test(`types: ${name}`, async () => {
    assert.deepEqual(await compiled(name.replaceAll(/\W+/g, "-"), options, files, type), { code: 0, said: "" });
  });
}

test("types: the entry for browsers has no FileStore", async () => {
  const { code, said } = await compiled("browser-alone", { module: "ESNext", moduleResolution: "bundler", customConditions: ["browser"] }, ["node.ts"], "module");
  assert.notEqual(code, 0);
  assert.match(said, /no exported member '?(defaultPath|FileStore)/);
});
