/** `ebbtrace/tools`: the memory verbs as tools for a model, in the forms that agent frameworks and APIs take. */
export { toAiSdk, toAnthropic, toLangChain, toOpenAI, toOpenAIResponses } from "./tools/forms.js";
export type { AiSdkTool, AnthropicTool, LangChainFields, OpenAIResponsesTool, OpenAITool } from "./tools/forms.js";
export { coreVerbs, instructions, memoryTools, run } from "./tools/memory-tools.js";
export type { MemoryTool, ToolOptions } from "./tools/memory-tools.js";
export type { InputSchema, JsonSchema, Verb } from "./tools/definition.js";
