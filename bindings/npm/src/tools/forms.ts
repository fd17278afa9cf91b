/**
 * The tools in the forms that frameworks and APIs take. None is depended upon: what only a framework itself can make, the
 * caller hands in.
 */

import type { InputSchema } from "./definition.js";
import type { MemoryTool } from "./memory-tools.js";

/** A tool of the Vercel AI SDK; `Schema` is what its `jsonSchema` gives. */
export interface AiSdkTool<Schema> {
  description: string;
  inputSchema: Schema;
  execute(args: unknown): Promise<string>;
}

/**
 * For the Vercel AI SDK (`ai`, tested with 7): what `generateText`, `streamText` and agents take as `tools`.
 *
 * `toAiSdk(memoryTools(memory), { jsonSchema })`, with the SDK's own `jsonSchema`.
 */
export function toAiSdk<Schema>(
  tools: readonly MemoryTool[],
  sdk: { jsonSchema: (schema: Plain) => Schema },
): Record<string, AiSdkTool<Schema>> {
  const named = tools.map(({ name, description, inputSchema, execute }) => {
    // Without a check of its own in it, the SDK hands on what the model sent: the tools forgive what they can.
    return [name, { description, inputSchema: sdk.jsonSchema(plain(inputSchema)), execute: (args: unknown) => execute(args) }] as const;
  });
  return Object.fromEntries(named);
}

/** What `tool` of LangChain.js is told of one. */
export interface LangChainFields {
  name: string;
  description: string;
  schema: Plain;
}

/**
 * For LangChain.js (`@langchain/core`, tested with 1.4): what `bindTools`, `createAgent` and `ToolNode` take.
 *
 * `toLangChain(memoryTools(memory), { tool })`, with LangChain's own `tool`.
 */
export function toLangChain<Tool>(
  tools: readonly MemoryTool[],
  langchain: { tool: (run: (args: unknown) => Promise<string>, fields: LangChainFields) => Tool },
): Tool[] {
  return tools.map(({ name, description, inputSchema, execute }) => {
    return langchain.tool((args) => execute(args), { name, description, schema: lenient(inputSchema) });
  });
}

/** A function tool of OpenAI's Chat Completions, and of the many APIs that take the same form. */
export interface OpenAITool {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: Plain;
    strict: false;
    /** Carries a call out: for `runTools`. It is not sent. */
    function: (args: string) => Promise<string>;
  };
}

/** For OpenAI's Chat Completions: `tools` of `chat.completions.create`, which answers calls for {@link run}; or of `runTools`. */
export function toOpenAI(tools: readonly MemoryTool[]): OpenAITool[] {
  return tools.map(({ name, description, inputSchema, execute }) => ({
    type: "function",
    function: { name, description, parameters: plain(inputSchema), strict: false, function: (args) => execute(args) },
  }));
}

/** A function tool of OpenAI's Responses. */
export interface OpenAIResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: Plain;
  strict: false;
}

/** For OpenAI's Responses: `tools` of `responses.create`. {@link run} carries the calls out. */
export function toOpenAIResponses(tools: readonly MemoryTool[]): OpenAIResponsesTool[] {
  return tools.map(({ name, description, inputSchema }) => {
    return { type: "function", name, description, parameters: plain(inputSchema), strict: false };
  });
}

/** A tool of Anthropic's Messages. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: Plain & { type: "object" };
  /** Carries a call out: for `beta.messages.toolRunner`. It is not sent. */
  run: (args: unknown) => Promise<string>;
  /** Hands the arguments on as they came: the tool itself says what is wrong with them. It is not sent. */
  parse: (args: unknown) => unknown;
}

/** For Anthropic's Messages: `tools` of `messages.create`, whose calls {@link run} carries out; or of `beta.messages.toolRunner`. */
export function toAnthropic(tools: readonly MemoryTool[]): AnthropicTool[] {
  return tools.map(({ name, description, inputSchema, execute }) => ({
    name,
    description,
    input_schema: { ...plain(inputSchema), type: "object" },
    run: (args) => execute(args),
    parse: (args) => args,
  }));
}

/** A schema as the types of most packages want it: an object of anything. */
type Plain = Record<string, any>;

/** A copy of its own, since some frameworks change what they are given. */
function plain(schema: InputSchema): Plain {
  return structuredClone(schema);
}

/**
 * A schema in the form of Standard JSON Schema, which says what to send and lets everything pass: where LangChain is given
 * the schema itself, it refuses what the tools would forgive, and throws where they would say what is wrong.
 */
function lenient(schema: InputSchema): Plain {
  const told = () => plain(schema);
  const validate = (value: unknown) => ({ value });
  return { "~standard": { version: 1, vendor: "ebbtrace", validate, jsonSchema: { input: told, output: told } } };
}
