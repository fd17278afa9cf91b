// IndexedDbStore in real Chromium: the laws of every store, and words of languages without spaces.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LAWS } from "../support/laws.mjs";
import { host } from "./chromium.mjs";

const chromium = host();

for (const name of Object.keys(LAWS)) {
  test(`IndexedDbStore in Chromium: ${name}`, async (context) => {
    const tab = await chromium.tab(await chromium.context(context));
    await tab.evaluate((name) => LAWS[name](library, place("laws")), name);
    assert.deepEqual(tab.faults, []);
  });
}

test("a commit is on the disk before it is acknowledged: every writing transaction is strict", async (context) => {
  const tab = await chromium.tab(await chromium.context(context));
  const asked = await tab.evaluate(async () => {
    const asked = [];
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (...all) {
      const made = transaction.apply(this, all);
      if (made.mode === "readwrite") asked.push(made.durability);
      return made;
    };
    const memory = await library.open({ embedder: null });
    await memory.remember("On the disk before it is acknowledged", { id: "one" });
    await memory.pin("one");
    return asked;
  });
  assert.deepEqual(asked, ["strict", "strict"]);
});

test("D4: words of Chinese, Japanese, Korean and Thai are found, of one, two and four characters, and mixed", async (context) => {
  const tab = await chromium.tab(await chromium.context(context));
  const kept = {
    disk: "C盘空间不足，需要清理临时文件",
    api: "API配置放在环境变量里，不要提交到仓库",
    cat: "我养了一只猫，名字叫小白",
    tokyo: "東京本社の会議は毎週火曜日に開かれます",
    coffee: "彼はコーヒーよりお茶が好きです",
    server: "서버에서 로그를 수집하여 대시보드에 표시합니다",
    lunch: "점심은 보통 김치찌개를 먹습니다",
    meeting: "การประชุมทีมจัดขึ้นทุกวันจันทร์ตอนเช้า",
    coffeeThai: "เขาชอบดื่มกาแฟมากกว่าชา",
    english: "The quarterly report is due on Friday",
  };
  const wanted = {
    "C盘": "disk", 临时文件: "disk", "API配置": "api", 环境变量: "api", 猫: "cat", 会議: "tokyo", 火曜日: "tokyo", コーヒー: "coffee",
    서버: "server", 서버에서: "server", 대시보드: "server", 김치찌개: "lunch", การประชุม: "meeting", กาแฟ: "coffeeThai",
  };
  const found = await tab.evaluate(async ([kept, words]) => {
    const memory = await library.open();
    for (const [id, content] of Object.entries(kept)) await memory.remember(content, { id });
    const found = {};
    for (const word of words) found[word] = (await memory.recall(word, { peek: true })).hits[0]?.memory.id;
    return found;
  }, [kept, Object.keys(wanted)]);
  assert.deepEqual(found, wanted);
});
