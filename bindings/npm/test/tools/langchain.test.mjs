// LangChain.js: its own agent and its own tool class, with its model for tests.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { DynamicStructuredTool, tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { createAgent } from "langchain";
import { memoryTools, run, toLangChain } from "../../dist/tools.js";
import { answerFrom, FACT, place, refusal, session } from "./support.mjs";

const wants = (name, args, id = "call-1") => new AIMessage({ content: "", tool_calls: [{ name, args, id, type: "tool_call" }] });
const lastTold = (messages) => messages.at(-1).content;

async function ask(memory, model, question) {
  const agent = createAgent({ model, tools: toLangChain(memoryTools(memory), { tool }) });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: question }] });
  return messages;
}

test("what an agent remembers in one session, it recalls in the next", async (t) => {
  const path = place(t);
  await session(path, async (memory) => {
    const model = fakeModel()
      .respond(wants("remember", { content: FACT }))
      .respond((messages) => new AIMessage(lastTold(messages)));
    const messages = await ask(memory, model, "We deploy on Wednesdays. Keep that in mind.");
    assert.match(messages.at(-1).content, /^Stored as \w+\./);
  });
  await session(path, async (memory) => {
    const model = fakeModel()
      .respond(wants("recall", { query: "when do we deploy?" }))
      .respond((messages) => new AIMessage(answerFrom(lastTold(messages))));
    const messages = await ask(memory, model, "When do we deploy?");
    assert.equal(messages.at(-1).content, `You said: ${FACT}`);
  });
});

test("each is a tool of LangChain's, and its model sees the schema as it is", async (t) => {
  await session(place(t), async (memory) => {
    const tools = memoryTools(memory);
    for (const [index, made] of toLangChain(tools, { tool }).entries()) {
      assert.ok(made instanceof DynamicStructuredTool);
      const { name, description, inputSchema } = tools[index];
      assert.deepEqual(convertToOpenAITool(made), { type: "function", function: { name, description, parameters: inputSchema } });
    }
  });
});

test("arguments that a model sends wrongly are forgiven, or refused in words that it can act on", async (t) => {
  await session(place(t), async (memory) => {
    const told = [];
    const model = fakeModel()
      .respond(wants("remember", { content: FACT, importance: "0.9", tags: "ops", metadata: "null" }))
      .respond(wants("recall", { query: "deploy", limit: 5 }))
      .respond((messages) => {
        told.push(lastTold(messages));
        return wants("recall", { query: "deploy", K: "5", minScore: null });
      })
      .respond((messages) => new AIMessage(answerFrom(lastTold(messages))));
    const messages = await ask(memory, model, "When do we deploy?");
    assert.equal(messages.at(-1).content, `You said: ${FACT}`);
    assert.deepEqual(refusal(told[0]), {
      code: "unknown_argument",
      reason: 'there is no argument "limit"; allowed are as_of, depth, k, kinds, min_score, query, scope, tags',
      nextStep: "Nothing was done. Call again with the allowed names.",
    });
  });
});

test("a tool that is not there ends nothing", async (t) => {
  await session(place(t), async (memory) => {
    const model = fakeModel()
      .respond(wants("purge", { ids: ["x"] }))
      .respond((messages) => new AIMessage(lastTold(messages)));
    const messages = await ask(memory, model, "Delete it all");
    assert.match(messages.at(-1).content, /purge/);
    assert.equal((await memory.stats()).memories, 0);
  });
});

test("a loop of one's own over bindTools", async (t) => {
  await session(place(t), async (memory) => {
    await memory.remember(FACT);
    const tools = memoryTools(memory, { verbs: ["recall"] });
    const model = fakeModel()
      .respond(wants("decide", { decision: "approve" }))
      .respond(wants("recall", { query: "deploy" }))
      .respond((messages) => new AIMessage(answerFrom(lastTold(messages))));
    const bound = model.bindTools(toLangChain(tools, { tool }));
    const messages = [{ role: "user", content: "When do we deploy?" }];
    for (;;) {
      const answer = await bound.invoke(messages);
      messages.push(answer);
      if (!answer.tool_calls.length) break;
      for (const { id, name, args } of answer.tool_calls) {
        messages.push(new ToolMessage({ tool_call_id: id, content: await run(tools, name, args) }));
      }
    }
    assert.equal(messages.at(-1).content, `You said: ${FACT}`);
    assert.deepEqual(refusal(messages[2].content), {
      code: "unknown_tool",
      reason: 'there is no tool of that name; the tools are recall',
      nextStep: "Nothing was done. Call one of those.",
    });
  });
});
