// The Vercel AI SDK, with its own model for tests: what it shows the model, and how calls and their answers pass.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asSchema, generateText, isStepCount, jsonSchema, streamText, ToolLoopAgent } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { instructions, memoryTools, toAiSdk } from "../../dist/tools.js";
import { answerFrom, FACT, place, refusal, session } from "./support.mjs";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const calls = (...wanted) => ({
  content: wanted.map(([toolName, input], index) => ({
    type: "tool-call",
    toolCallId: `call-${index}`,
    toolName,
    input: typeof input === "string" ? input : JSON.stringify(input),
  })),
  finishReason: { unified: "tool-calls" },
  usage,
  warnings: [],
});
const says = (text) => ({ content: [{ type: "text", text }], finishReason: { unified: "stop" }, usage, warnings: [] });

/** What the last tools answered, as the SDK hands it to the model. */
const toldTo = ({ prompt }) => prompt.at(-1).content.map(({ output }) => output.value);

/** A model that takes the steps in order; each is given what the model was asked. */
function model(...steps) {
  const left = [...steps];
  return new MockLanguageModelV4({ doGenerate: async (asked) => left.shift()(asked) });
}

const ask = (memory, model, prompt) =>
  generateText({ model, prompt, tools: toAiSdk(memoryTools(memory), { jsonSchema }), stopWhen: isStepCount(8) });

test("what a model remembers in one session, it recalls in the next", async (t) => {
  const path = place(t);
  await session(path, async (memory) => {
    const first = model(
      () => calls(["remember", { content: FACT, kind: "decision" }]),
      (asked) => says(toldTo(asked)[0]),
    );
    const { text } = await ask(memory, first, "We deploy on Wednesdays. Keep that in mind.");
    assert.match(text, /^Stored as \w+\. Why created: it is new\./);
  });
  await session(path, async (memory) => {
    const second = model(
      () => calls(["recall", { query: "when do we deploy?" }]),
      (asked) => says(answerFrom(toldTo(asked)[0])),
    );
    const { text, steps } = await ask(memory, second, "When do we deploy?");
    assert.equal(text, `You said: ${FACT}`);
    assert.equal(steps.length, 2);
  });
});

test("the model is shown the schemas as they are", async (t) => {
  await session(place(t), async (memory) => {
    const tools = memoryTools(memory);
    const shown = model(() => says("Nothing to do."));
    await ask(memory, shown, "Hello");
    const [{ tools: listed }] = shown.doGenerateCalls;
    assert.deepEqual(
      listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    const { recall } = toAiSdk(tools, { jsonSchema });
    assert.deepEqual(await asSchema(recall.inputSchema).jsonSchema, tools[1].inputSchema);
  });
});

test("arguments that a model sends wrongly are forgiven, or refused in words that it can act on", async (t) => {
  await session(place(t), async (memory) => {
    const told = [];
    const sloppy = model(
      () => calls(["remember", { content: FACT, importance: "0.9", tags: '["ops", "ci"]', metadata: null, scope: "" }]),
      () => calls(["recall", { query: "deploy", k: "five" }]),
      (asked) => {
        told.push(toldTo(asked)[0]);
        return calls(["recall", { query: "deploy", k: "5", depth: "null" }]);
      },
      (asked) => says(answerFrom(toldTo(asked)[0])),
    );
    const { text } = await ask(memory, sloppy, "When do we deploy?");
    assert.equal(text, `You said: ${FACT}`);
    assert.deepEqual(refusal(told[0]), {
      code: "invalid_argument",
      reason: 'k is the text "five"; allowed is a whole number (How many at most; default 5)',
      nextStep: "Call again with an allowed value.",
    });
    const [record] = (await memory.records()).filter(({ record }) => record === "memory");
    assert.deepEqual([record.importance, record.tags, record.metadata], [0.9, ["ci", "ops"], undefined]);
  });
});

test("text that is no JSON, and a tool that is not there, end nothing", async (t) => {
  await session(place(t), async (memory) => {
    const told = [];
    const lost = model(
      () => calls(["recall", '{"query": "deploy'], ["purge", { ids: ["x"] }]),
      (asked) => {
        told.push(...toldTo(asked));
        return says("I can't delete anything.");
      },
    );
    const { text } = await ask(memory, lost, "Delete it all");
    assert.equal(text, "I can't delete anything.");
    assert.equal(told.length, 2);
    // Both are the SDK's own words: neither call came as far as a tool.
    assert.match(told[0], /recall/);
    assert.match(told[1], /unavailable tool 'purge'/);
  });
});

test("several calls at once, streamed, each take their turn", async (t) => {
  await session(place(t), async (memory) => {
    const facts = ["The office is in Lisbon", "Rent is due on the first", "Ana leads the team"];
    const chunks = (parts, finish) => [{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason: { unified: finish }, usage }];
    const left = [
      chunks(facts.map((content, id) => ({ type: "tool-call", toolCallId: `${id}`, toolName: "remember", input: JSON.stringify({ content }) })), "tool-calls"),
      chunks([{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: "Noted." }, { type: "text-end", id: "1" }], "stop"),
    ];
    const streaming = new MockLanguageModelV4({ doStream: async () => ({ stream: simulateReadableStream({ chunks: left.shift(), initialDelayInMs: null, chunkDelayInMs: null }) }) });
    const tools = toAiSdk(memoryTools(memory, { verbs: ["remember"] }), { jsonSchema });
    const { text } = streamText({ model: streaming, prompt: "Remember these", tools, stopWhen: isStepCount(3) });
    assert.equal(await text, "Noted.");
    const contents = (await memory.records()).filter(({ record }) => record === "memory").map(({ content }) => content);
    assert.deepEqual(contents.sort(), [...facts].sort());
  });
});

test("an agent is told when to use them", async (t) => {
  await session(place(t), async (memory) => {
    const tools = memoryTools(memory, { scope: "ana" });
    const shown = model(() => says("Hello."));
    const agent = new ToolLoopAgent({ model: shown, instructions: instructions(tools), tools: toAiSdk(tools, { jsonSchema }) });
    assert.equal((await agent.generate({ prompt: "Hello" })).text, "Hello.");
    const [system] = shown.doGenerateCalls[0].prompt;
    assert.equal(system.role, "system");
    assert.match(system.content, /^Ebbtrace is your long-term memory\./);
  });
});
