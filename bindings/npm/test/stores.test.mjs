// The stores in Node: the laws that hold for every one, and what happens to a file.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, mkdtemp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as fake from "fake-indexeddb";
import * as library from "../dist/node.js";
import { LAWS, NOW } from "./support/laws.mjs";

const { defaultPath, EbbtraceError, FileStore, IndexedDbStore, MemoryStore, open } = library;

let folder;
let places = 0;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "ebbtrace-stores-"));
});
after(() => rm(folder, { recursive: true, force: true }));

/** A place for each kind of store. */
const PLACES = {
  MemoryStore() {
    const store = new MemoryStore();
    const texts = async () => {
      const all = [];
      const revision = await store.load((records) => void all.push(...records));
      for (let since = 0; since < revision; since += 1) all.push(await store.changesSince(since));
      return JSON.stringify(all);
    };
    return { store: () => store, texts };
  },
  FileStore() {
    const path = join(folder, `law-${(places += 1)}`, "memory.log");
    const texts = async () => (await Promise.all((await readdir(join(path, ".."))).map((name) => readFile(join(path, "..", name), "utf8")))).join("");
    return { store: () => new FileStore(path), texts };
  },
  "IndexedDbStore over fake-indexeddb"() {
    const indexedDB = new fake.IDBFactory();
    const options = { indexedDB, IDBKeyRange: fake.IDBKeyRange };
    return { store: () => new IndexedDbStore(options), texts: () => texts(indexedDB, "ebbtrace") };
  },
};

/** Everything in a database. */
async function texts(indexedDB, name) {
  const asked = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await asked(indexedDB.open(name));
  const names = [...database.objectStoreNames];
  const reading = database.transaction(names);
  const all = await Promise.all(names.map((name) => asked(reading.objectStore(name).getAll())));
  database.close();
  return JSON.stringify(all);
}

for (const [kind, place] of Object.entries(PLACES)) {
  for (const [name, law] of Object.entries(LAWS)) {
    // A memory has no end but its program's.
    if (kind === "MemoryStore" && name.includes("closed")) continue;
    test(`${kind}: ${name}`, () => law(library, place()));
  }
}

const at = (name) => join(folder, name);
const openAt = (path, more = {}) => open({ store: new FileStore(path), embedder: null, clock: () => NOW, ...more });

async function filled(name, count = 3) {
  const path = at(name);
  const memory = await openAt(path);
  for (let number = 0; number < count; number += 1) await memory.remember(`${name} has its line number ${number}`, { id: `line-${number}` });
  return { path, memory, digest: await memory.digest() };
}

const ids = async (memory) => (await memory.records()).filter(({ record }) => record === "memory").map(({ id }) => id).sort();

test("FileStore: a torn last line was never acknowledged, and is cut away", async () => {
  const { path, digest } = await filled("torn");
  const whole = await readFile(path);
  // Of the last commit every length that a crash can leave.
  const start = whole.lastIndexOf(0x0a, whole.length - 2) + 1;
  for (const end of [start + 1, start + 9, Math.floor((start + whole.length) / 2), whole.length - 1]) {
    await writeFile(path, whole.subarray(0, end));
    const memory = await openAt(path);
    assert.deepEqual(await ids(memory), ["line-0", "line-1"]);
    await memory.remember("torn has its line number 2", { id: "line-2" });
    const again = await openAt(path);
    assert.deepEqual(await ids(again), ["line-0", "line-1", "line-2"]);
    assert.equal(await again.digest(), await memory.digest());
  }
  // A torn line that is longer than the one that comes in its place.
  await writeFile(path, Buffer.concat([whole, Buffer.from(`deadbeef {"revision": 4, "${"x".repeat(5_000)}`)]));
  const memory = await openAt(path);
  assert.equal(await memory.digest(), digest);
  await memory.remember("Short", { id: "short" });
  const store = new FileStore(path);
  assert.deepEqual([await ids(await open({ store, embedder: null })), store.unreadable], [["line-0", "line-1", "line-2", "short"], 0]);
  assert.equal((await readFile(path)).at(-1), 0x0a);
});

test("FileStore: a reader that saw a torn line sees the whole one of the same length after it", async () => {
  const { path } = await filled("torn-read");
  const whole = await readFile(path);
  const write = () => openAt(path).then((memory) => memory.remember("torn-read has its line number 9", { id: "line-9" }));
  await write();
  const length = (await stat(path)).size - whole.length;
  await writeFile(path, Buffer.concat([whole, Buffer.alloc(length, "x")]));
  const reader = await openAt(path);
  assert.deepEqual(await ids(reader), ["line-0", "line-1", "line-2"]);
  await write();
  assert.equal((await stat(path)).size, whole.length + length);
  assert.deepEqual(await ids(reader), ["line-0", "line-1", "line-2", "line-9"]);
});

test("FileStore: a damaged line in the middle is passed over, and counted", async () => {
  const { path } = await filled("damaged", 4);
  const bytes = await readFile(path);
  const hit = bytes.indexOf("line number 1");
  bytes[hit] ^= 0xff;
  await writeFile(path, bytes);
  const store = new FileStore(path);
  const memory = await open({ store, embedder: null, clock: () => NOW });
  assert.deepEqual([await ids(memory), store.unreadable], [["line-0", "line-2", "line-3"], 1]);
  await memory.remember("What comes after is kept", { id: "after" });
  assert.deepEqual(await ids(await openAt(path)), ["after", "line-0", "line-2", "line-3"]);
});

test("FileStore: a newer version, another file, an empty one and a folder are told apart; none is changed", async () => {
  const cases = {
    newer: ['{"format":"ebbtrace-log","version":2}\n', "store_newer", /version 2; this ebbtrace reads up to 1/],
    foreign: ["# My notes\nand more\n", "store_damaged", /no memory of ebbtrace/],
    "no line": ["PK\u0003\u0004", "store_damaged", /no memory of ebbtrace/],
    json: ['{"format":"other","version":1}\n', "store_damaged", /no memory of ebbtrace/],
  };
  for (const [name, [text, code, why]] of Object.entries(cases)) {
    await writeFile(at(name), text);
    await assert.rejects(openAt(at(name)), (error) => error instanceof EbbtraceError && error.code === code && why.test(error.message) && error.nextStep !== "");
    assert.equal(await readFile(at(name), "utf8"), text);
  }
  await mkdir(at("folder.log"));
  await assert.rejects(openAt(at("folder.log")), { code: "store_open", message: /folder\.log/ });
  await writeFile(at("plain"), "");
  await assert.rejects(openAt(join(at("plain"), "below.log")), { code: "store_open" });
  const memory = await openAt(at("plain"));
  await memory.remember("An empty file is a memory with nothing in it", { id: "one" });
  assert.deepEqual(await ids(await openAt(at("plain"))), ["one"]);
});

test("FileStore: EBBTRACE_FILE names the default, else it is the system's folder for data", async () => {
  const script = "import('../dist/node.js').then(({ defaultPath }) => process.stdout.write(defaultPath()))";
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const told = (env) => execFileSync(process.execPath, ["-e", script], { cwd, env: { PATH: process.env.PATH, ...env }, encoding: "utf8" });
  assert.equal(told({ EBBTRACE_FILE: "here.log" }), resolve(cwd, "here.log"));
  if (process.platform === "linux") {
    assert.equal(told({ XDG_DATA_HOME: "/somewhere" }), "/somewhere/ebbtrace/memory.log");
    assert.equal(told({ HOME: "/home/me", EBBTRACE_FILE: "" }), "/home/me/.local/share/ebbtrace/memory.log");
  }
  assert.ok(process.env.EBBTRACE_FILE || defaultPath().startsWith(process.env.XDG_DATA_HOME ?? homedir()));
  const path = at("new/deep/memory.log");
  await (await openAt(path)).remember("Made where nothing was");
  // For its owner alone.
  if (process.platform !== "win32") assert.deepEqual([(await stat(path)).mode & 0o777, (await stat(at("new"))).mode & 0o777], [0o600, 0o700]);
});

/** A writer in a process of its own; its lines as they come. */
function writer(path, name, count) {
  const child = spawn(process.execPath, [fileURLToPath(new URL("support/writer.mjs", import.meta.url)), path, name, String(count)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const told = [];
  lines.on("line", (line) => told.push(line));
  const until = async (line) => {
    while (!told.includes(line)) await once(lines, "line");
  };
  const ended = once(child, "exit");
  return { child, told, until, ended };
}

test("FileStore: two processes with 100 writes each, and every one is there", async () => {
  const path = at("shared.log");
  const writers = ["ann", "bob"].map((name) => writer(path, name, 100));
  const codes = await Promise.all(writers.map(({ ended }) => ended));
  assert.deepEqual(codes.map(([code]) => code), [0, 0]);
  const told = writers.flatMap(({ told }) => told).sort();
  assert.equal(told.length, 200);
  const store = new FileStore(path);
  const memory = await open({ store, embedder: null });
  assert.deepEqual([await ids(memory), store.unreadable], [told, 0]);
  assert.deepEqual((await readdir(folder)).filter((name) => /^shared\.log./.test(name)), []);
});

test("FileStore: a writer that is killed with the lock blocks nobody, and what it had stored stays", async () => {
  const path = at("killed.log");
  const { child, told, until, ended } = writer(path, "gone", "hold");
  await until("held");
  assert.deepEqual(told, ["gone-0", "held"]);
  const held = JSON.parse(await readFile(`${path}.lock`, "utf8"));
  assert.equal(held.pid, child.pid);
  child.kill("SIGKILL");
  await ended;
  const memory = await openAt(path);
  await memory.remember("Written after a crash", { id: "after" });
  const kept = await ids(await openAt(path));
  // Of what nobody acknowledged all is there, or nothing.
  assert.deepEqual(kept.filter((id) => id !== "gone-1"), ["after", "gone-0"]);
  assert.deepEqual((await readdir(folder)).filter((name) => name.startsWith("killed.log.")), []);
});

test("FileStore: a writer that lives is waited for", async () => {
  const path = at("held.log");
  const { child, until, ended } = writer(path, "slow", "hold");
  await until("held");
  const memory = await openAt(path);
  let done = false;
  const writing = memory.remember("Written when the other is done", { id: "mine" }).then(() => (done = true));
  // Many attempts at the lock later it still waits.
  for (let turn = 0; turn < 5; turn += 1) await stat(`${path}.lock`).then(() => new Promise((resolve) => setTimeout(resolve, 10)));
  assert.equal(done, false);
  child.stdin.write("on\n");
  await writing;
  await ended;
  assert.deepEqual(await ids(await openAt(path)), ["mine", "slow-0", "slow-1"]);
});

test("FileStore: written anew while others read, and none sees half of it", async () => {
  const path = at("anew.log");
  const writer = new FileStore(path);
  const memory = await openAt(path);
  await memory.remember("The one that is written again and again", { id: "one" });
  const [{ record: _, ...one }] = (await memory.records()).filter(({ record }) => record === "memory");
  let writing = true;
  const reading = (async () => {
    const reader = await openAt(path);
    let [last, reads] = [0, 0];
    while (writing) {
      const { recall_count } = await reader.get("one");
      assert.ok(recall_count >= last, `${recall_count} after ${last}`);
      const store = new FileStore(path);
      let seen = 0;
      await store.load((records) => void (seen += records.length));
      assert.deepEqual([seen, store.unreadable], [1, 0]);
      last = recall_count;
      reads += 1;
    }
    assert.equal((await reader.get("one")).recall_count, 1_100);
    return reads;
  })();
  const sizes = [];
  for (let count = 1; count <= 1_100; count += 1) {
    const changes = [{ change: "put", record: "memory", ...one, recall_count: count }];
    assert.equal(await writer.commit({ revision: count + 1, at: NOW, operation: "remember", changes }), "committed");
    if (count % 100 === 0) sizes.push((await stat(path)).size);
  }
  writing = false;
  assert.ok((await reading) > 0);
  // It grew, and was written anew once.
  assert.equal(sizes.filter((size, place) => size < (sizes[place - 1] ?? 0)).length, 1);
});

/** A small file system of its own, where the system lets us make one. */
async function small(context, name, use) {
  const mount = at(name);
  await mkdir(mount);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", mount], { stdio: "ignore" });
  } catch {
    return context.skip("this user can't mount a small file system");
  }
  try {
    await use(mount);
  } finally {
    execFileSync("umount", [mount]);
  }
}

test("FileStore: a full disk is said, what was acknowledged stays, and with space it goes on", async (context) => {
  await small(context, "full", async (mount) => {
    await writeFile(join(mount, "filler"), Buffer.alloc(24_000));
    const path = join(mount, "memory.log");
    const memory = await openAt(path);
    const told = [];
    const full = await (async () => {
      for (let number = 0; number < 500; number += 1) {
        told.push((await memory.remember(`Number ${number}: ${"word ".repeat(40)}${number}`, { id: `n-${number}` })).id);
      }
    })().catch((error) => error);
    assert.ok(full instanceof EbbtraceError, String(full));
    assert.deepEqual([full.code, /what was stored before is safe/.test(full.nextStep)], ["store_full", true]);
    assert.ok(told.length > 3);
    assert.deepEqual(await ids(memory), told.sort());
    assert.equal(await (await openAt(path)).digest(), await memory.digest());
    // It can still be asked, and says that the use was not recorded, once not even that fits.
    const uses = await (async () => {
      for (let count = 1; count <= 1_000; count += 1) await memory.reinforce("n-0");
    })().catch((error) => error);
    assert.equal(uses?.code, "store_full");
    const found = await memory.recall("Number 0");
    assert.ok(found.hits.length > 0 && /not recorded/.test(found.notices.join()), JSON.stringify(found.notices));
    await rm(join(mount, "filler"));
    await memory.remember("There is space again", { id: "space" });
    assert.deepEqual(await ids(await openAt(path)), [...told, "space"].sort());
  });
});

test("FileStore: a folder that is only read can be asked, and says why nothing is written", async (context) => {
  const check = async (path) => {
    const memory = await openAt(path);
    assert.deepEqual(await ids(memory), ["line-0"]);
    await assert.rejects(memory.remember("It can't be written"), { name: "EbbtraceError", code: "store_io", message: /read-only|EROFS|EACCES|permission/i });
    const found = await memory.recall("line number");
    assert.deepEqual(found.hits.map((hit) => hit.memory.id), ["line-0"]);
    assert.match(found.notices.join(), /not recorded/);
    await assert.rejects((await openAt(join(path, "../none.log"))).remember("Nor this"), { code: "store_io" });
  };
  if (process.getuid?.() === 0) {
    // Nothing is forbidden to root but a file system that takes no writes.
    await small(context, "read-only", async (mount) => {
      await (await openAt(join(mount, "memory.log"))).remember("A line number 0", { id: "line-0" });
      execFileSync("mount", ["-o", "remount,ro", mount]);
      await check(join(mount, "memory.log"));
    });
  } else {
    await mkdir(at("read-only"));
    await (await openAt(join(at("read-only"), "memory.log"))).remember("A line number 0", { id: "line-0" });
    await chmod(at("read-only"), 0o555);
    await check(join(at("read-only"), "memory.log"));
    await chmod(at("read-only"), 0o755);
  }
});

test("FileStore: a file that another program cut or replaced is read anew", async () => {
  const { path, memory } = await filled("replaced");
  const copy = await readFile(path);
  await memory.remember("And one more line", { id: "more" });
  await writeFile(path, copy);
  assert.deepEqual(await ids(memory), ["line-0", "line-1", "line-2"]);
  await appendFile(path, "rubbish\n");
  await memory.remember("After rubbish", { id: "rubbish" });
  assert.deepEqual(await ids(await openAt(path)), ["line-0", "line-1", "line-2", "rubbish"]);
});

test("IndexedDbStore: every commit asks for strict durability", async () => {
  const indexedDB = new fake.IDBFactory();
  const asked = [];
  const watched = {
    open(...all) {
      const request = indexedDB.open(...all);
      request.addEventListener("success", () => {
        const database = request.result;
        const { transaction } = database;
        database.transaction = (stores, mode, options) => {
          asked.push([mode, options?.durability]);
          return transaction.call(database, stores, mode, options);
        };
      });
      return request;
    },
  };
  const store = new IndexedDbStore({ indexedDB: watched, IDBKeyRange: fake.IDBKeyRange });
  const memory = await open({ store, embedder: null });
  await memory.remember("On the disk before it is acknowledged");
  assert.deepEqual(asked.filter(([mode]) => mode === "readwrite"), [["readwrite", "strict"]]);
});

test("IndexedDbStore: without IndexedDB it says so", async () => {
  await assert.rejects(open({ store: new IndexedDbStore(), embedder: null }), { name: "EbbtraceError", code: "store_open", message: /no IndexedDB here/ });
});
