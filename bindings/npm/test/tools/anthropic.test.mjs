// Anthropic's client against an API on this machine: Messages by hand, and by its runner.
import assert from "node:assert/strict";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { coreVerbs, instructions, memoryTools, run, toAnthropic } from "../../dist/tools.js";
import { answerFrom, FACT, place, refusal, scripted, session } from "./support.mjs";

const client = (url) => new Anthropic({ apiKey: "none", authToken: null, baseURL: url, maxRetries: 0 });
const message = (content, stop_reason) => ({
  id: "m",
  type: "message",
  role: "assistant",
  model: "m",
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});
const says = (text) => message([{ type: "text", text }], "end_turn");
const calls = (...wanted) => message(wanted.map(([name, input], id) => ({ type: "tool_use", id: `t${id}`, name, input })), "tool_use");
/** What the tools answered last, each as a text. */
const told = ({ messages }) => messages.at(-1).content.map(({ content }) => (typeof content === "string" ? content : content.map(({ text }) => text).join("")));

/** The loop that every program around this API has. */
async function converse(anthropic, tools, question) {
  const messages = [{ role: "user", content: question }];
  for (;;) {
    const answer = await anthropic.messages.create({ model: "m", max_tokens: 100, system: instructions(tools), messages, tools: toAnthropic(tools) });
    messages.push({ role: "assistant", content: answer.content });
    const wanted = answer.content.filter(({ type }) => type === "tool_use");
    if (!wanted.length) return answer.content[0].text;
    const content = [];
    for (const { id, name, input } of wanted) content.push({ type: "tool_result", tool_use_id: id, content: await run(tools, name, input) });
    messages.push({ role: "user", content });
  }
}

test("Messages: what is remembered in one session is recalled in the next", async (t) => {
  const path = place(t);
  await session(path, async (memory) => {
    const api = await scripted(t, [() => calls(["remember", { content: FACT }]), (body) => says(told(body)[0])]);
    assert.match(await converse(client(api.url), memoryTools(memory), "We deploy on Wednesdays."), /^Stored as \w+\./);
  });
  await session(path, async (memory) => {
    const api = await scripted(t, [() => calls(["recall", { query: "when do we deploy?" }]), (body) => says(answerFrom(told(body)[0]))]);
    const tools = memoryTools(memory, { verbs: coreVerbs });
    assert.equal(await converse(client(api.url), tools, "When do we deploy?"), `You said: ${FACT}`);
    const sent = tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
    assert.deepEqual(api.asked[0].body.tools, sent);
    assert.match(api.asked[0].body.system, /^Ebbtrace is your long-term memory\./);
  });
});

test("Messages: wrong values and unknown tools are answered, not thrown", async (t) => {
  await session(place(t), async (memory) => {
    let answers;
    const api = await scripted(t, [
      () => calls(["recall", { query: "deploy", as_of: "last week" }], ["purge", { ids: ["x"] }], ["remember", { content: "  " }], ["update", { id: "nothing", content: "x" }]),
      (body) => {
        answers = told(body);
        return says("I see.");
      },
    ]);
    assert.equal(await converse(client(api.url), memoryTools(memory), "Hello"), "I see.");
    assert.deepEqual(answers.map((text) => refusal(text).code), ["invalid_argument", "unknown_tool", "blank", "not_found"]);
    assert.match(refusal(answers[0]).reason, /^as_of is "last week"; allowed is a time such as 2026-10-15,/);
  });
});

test("Messages: the client's own runner carries the calls out", async (t) => {
  await session(place(t), async (memory) => {
    await memory.remember(FACT);
    const api = await scripted(t, [
      () => calls(["recall", '{"query": "deploy", "k": "3"}']),
      () => calls(["purge", {}], ["recall", { query: "deploy", kinds: { a: 1 } }]),
      (body) => says(told(body).join("\n")),
    ]);
    const answer = await client(api.url).beta.messages.toolRunner({
      model: "m",
      max_tokens: 100,
      messages: [{ role: "user", content: "When do we deploy?" }],
      tools: toAnthropic(memoryTools(memory, { verbs: ["recall"] })),
    });
    assert.equal(answerFrom(told(api.asked[1].body)[0]), `You said: ${FACT}`);
    assert.match(answer.content[0].text, /purge/);
    assert.match(answer.content[0].text, /kinds\[0\] is an object; allowed is a text/);
  });
});
