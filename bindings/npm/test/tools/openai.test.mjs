// OpenAI's client against an API on this machine: Chat Completions by hand and by its runner, and Responses.
import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";
import { memoryTools, run, toOpenAI, toOpenAIResponses } from "../../dist/tools.js";
import { answerFrom, FACT, place, refusal, scripted, session } from "./support.mjs";

const client = (url) => new OpenAI({ apiKey: "none", baseURL: url, maxRetries: 0 });
const chat = (message, finish_reason = "stop") => ({
  id: "c",
  object: "chat.completion",
  created: 0,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason }],
});
const calls = (...wanted) =>
  chat({ tool_calls: wanted.map(([name, args], id) => ({ id: `${id}`, type: "function", function: { name, arguments: args } })) }, "tool_calls");
const lastTold = ({ messages }) => messages.at(-1).content;

/** The loop that every program around this API has. */
async function converse(openai, tools, question) {
  const messages = [{ role: "user", content: question }];
  for (;;) {
    const { choices } = await openai.chat.completions.create({ model: "m", messages, tools: toOpenAI(tools) });
    const { message } = choices[0];
    messages.push(message);
    if (!message.tool_calls) return message.content;
    for (const { id, function: wanted } of message.tool_calls) {
      messages.push({ role: "tool", tool_call_id: id, content: await run(tools, wanted.name, wanted.arguments) });
    }
  }
}

test("Chat Completions: what is remembered in one session is recalled in the next", async (t) => {
  const path = place(t);
  await session(path, async (memory) => {
    const api = await scripted(t, [() => calls(["remember", JSON.stringify({ content: FACT })]), (body) => chat({ content: lastTold(body) })]);
    assert.match(await converse(client(api.url), memoryTools(memory), "We deploy on Wednesdays."), /^Stored as \w+\./);
  });
  await session(path, async (memory) => {
    const api = await scripted(t, [() => calls(["recall", '{"query":"when do we deploy?"}']), (body) => chat({ content: answerFrom(lastTold(body)) })]);
    assert.equal(await converse(client(api.url), memoryTools(memory), "When do we deploy?"), `You said: ${FACT}`);
    // What went over the wire is the plain form, and nothing of the program's own.
    const tools = memoryTools(memory);
    const sent = tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema, strict: false },
    }));
    assert.deepEqual(api.asked[0].body.tools, sent);
  });
});

test("Chat Completions: broken JSON, wrong values and unknown tools are answered, not thrown", async (t) => {
  await session(place(t), async (memory) => {
    const told = [];
    const api = await scripted(t, [
      () => calls(["recall", '{"query": "deploy'], ["recall", ""], ["purge", '{"ids":["x"]}'], ["remember", `{"content":${JSON.stringify(FACT)},"importance":"high"}`]),
      ({ messages }) => {
        told.push(...messages.filter(({ role }) => role === "tool").map(({ content }) => content));
        return calls(["remember", JSON.stringify({ content: FACT, importance: "0.8" })]);
      },
      (body) => chat({ content: lastTold(body) }),
    ]);
    assert.match(await converse(client(api.url), memoryTools(memory), "Remember when we deploy"), /^Stored as/);
    const codes = told.map((text) => refusal(text).code);
    assert.deepEqual(codes, ["invalid_argument", "missing_argument", "unknown_tool", "invalid_argument"]);
    assert.equal(refusal(told[3]).reason, 'importance is the text "high"; allowed is a number (0 to 1; default 0.5. Higher fades slower)');
  });
});

test("Chat Completions: the client's own runner carries the calls out", async (t) => {
  await session(place(t), async (memory) => {
    await memory.remember(FACT);
    const api = await scripted(t, [
      () => calls(["recall", '{"query":"deploy","k":"3"}']),
      () => calls(["purge", "{}"]),
      ({ messages }) => chat({ content: answerFrom(messages.findLast(({ content }) => content?.includes("| ")).content) }),
    ]);
    const runner = client(api.url).chat.completions.runTools({
      model: "m",
      messages: [{ role: "user", content: "When do we deploy?" }],
      tools: toOpenAI(memoryTools(memory, { verbs: ["recall"] })),
    });
    assert.equal(await runner.finalContent(), `You said: ${FACT}`);
    const unknown = api.asked[2].body.messages.at(-1);
    assert.match(unknown.content, /purge/);
  });
});

test("Responses: what is remembered in one session is recalled in the next", async (t) => {
  const path = place(t);
  const output = (...items) => ({ id: "r", object: "response", created_at: 0, model: "m", status: "completed", output: items });
  const wants = (name, args) => output({ type: "function_call", id: "f", call_id: "1", name, arguments: JSON.stringify(args), status: "completed" });
  const says = (text) => output({ type: "message", id: "m", role: "assistant", status: "completed", content: [{ type: "output_text", text, annotations: [] }] });
  const converse = async (openai, tools, question) => {
    const input = [{ role: "user", content: question }];
    for (;;) {
      const response = await openai.responses.create({ model: "m", input, tools: toOpenAIResponses(tools) });
      const wanted = response.output.filter(({ type }) => type === "function_call");
      if (!wanted.length) return response.output_text;
      input.push(...response.output);
      for (const { call_id, name, arguments: args } of wanted) {
        input.push({ type: "function_call_output", call_id, output: await run(tools, name, args) });
      }
    }
  };
  await session(path, async (memory) => {
    const api = await scripted(t, [() => wants("remember", { content: FACT }), ({ input }) => says(input.at(-1).output)]);
    assert.match(await converse(client(api.url), memoryTools(memory), "We deploy on Wednesdays."), /^Stored as/);
  });
  await session(path, async (memory) => {
    const api = await scripted(t, [() => wants("recall", { query: "deploy" }), ({ input }) => says(answerFrom(input.at(-1).output))]);
    assert.equal(await converse(client(api.url), memoryTools(memory), "When do we deploy?"), `You said: ${FACT}`);
    const { name, description, inputSchema } = memoryTools(memory)[0];
    assert.deepEqual(api.asked[0].body.tools[0], { type: "function", name, description, parameters: inputSchema, strict: false });
  });
});
