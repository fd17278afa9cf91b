import { EbbtraceError } from "../errors.js";
import type { Memory } from "../memory.js";
import { read } from "./arguments.js";
import { CALLS } from "./calls.js";
import type { InputSchema, Listed, Verb } from "./definition.js";
import { ALL, CORE, LISTING } from "./listing.js";
import { Refusal, refused } from "./refusal.js";
import { visibleLines } from "./words.js";

/** Which tools, and how far they reach. */
export interface ToolOptions {
  /** Which verbs become tools; default all fifteen. {@link coreVerbs} are the six that most agents need. */
  verbs?: readonly Verb[];
  /**
   * The only scope that the tools reach: the argument `scope` is not offered, and a call that names another scope is
   * refused. Left out, the model may name any scope, and works in the memory's own where it names none. Give it wherever
   * one store serves several users.
   */
  scope?: string;
  /** Who stores, for the `source` of memories, such as your program's name; default nobody. */
  client?: string;
  /** The most characters of an answer; default 20,000, at least 1,000. What does not fit is cut, and the answer says so. */
  characters?: number;
}

/** One verb as a tool, in no framework's form. */
export interface MemoryTool {
  readonly name: Verb;
  /** What it is for, for the model to read. */
  readonly description: string;
  /** What it takes: an object at the root, one type each, no unions, no formats. */
  readonly inputSchema: InputSchema;
  /**
   * Carries a call out, with the arguments as a model sends them: an object, or its JSON text. Never throws: what went
   * wrong is answered as a text that says what to do instead, so that the model can mend it.
   */
  readonly execute: (args?: unknown) => Promise<string>;
}

/** The verbs that most agents need: as `ebbtrace mcp --tools core`. */
export const coreVerbs: readonly Verb[] = ["remember", "recall", "update", "resume", "handoff", "forget"];

/** The least that {@link ToolOptions.characters} may be: what is around a memory's content must fit. */
const LEAST_CHARACTERS = 1_000;

/**
 * A memory's verbs as tools: with the names, arguments and words of the MCP server. None of them deletes, decides what
 * may be deleted, imports or exports: that is a human's to do.
 */
export function memoryTools(memory: Memory, options: ToolOptions = {}): MemoryTool[] {
  // A misspelt scope would open all of them to the model.
  const known = ["verbs", "scope", "client", "characters"];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new EbbtraceError("unknown_argument", `there is no option ${JSON.stringify(unknown)}; allowed are ${known.join(", ")}`, "Mend its name.", unknown);
  }
  const { verbs, scope, client, characters = 20_000 } = options;
  if (scope !== undefined && (typeof scope !== "string" || !scope.trim())) {
    throw new EbbtraceError("bad_argument", "scope is no name; allowed is a text that is not blank", "Name a scope, or leave it out.", "scope");
  }
  for (const name of verbs ?? []) {
    if (LISTING.some((listed) => listed.name === name)) continue;
    const names = LISTING.map((listed) => listed.name).join(", ");
    throw new EbbtraceError("bad_argument", `there is no verb ${JSON.stringify(name)}; allowed are ${names}`, "Mend its name.", "verbs");
  }
  if (!(characters >= LEAST_CHARACTERS)) {
    const message = `characters is ${characters}; allowed is a number from ${LEAST_CHARACTERS}`;
    throw new EbbtraceError("out_of_range", message, "Give a larger number, or leave it out.", "characters");
  }
  const listed = LISTING.filter(({ name }) => verbs?.includes(name) ?? true);
  return listed.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: structuredClone(scope === undefined ? inputSchema : fenced(inputSchema)),
    execute: async (args?: unknown) => {
      try {
        const given = read(inputSchema, args);
        const about = reach(given, scope);
        // Names too are stored text: an id can hold what no answer is to say.
        return visibleLines(await CALLS[name]({ memory, given, scope: about, client, characters }));
      } catch (error) {
        return refused(error, (text) => memory.redact(text));
      }
    },
  }));
}

/** Carries out the call of a tool by its name, as a model asked for it; answers its text. Never throws. */
export async function run(tools: readonly MemoryTool[], name: string, args?: unknown): Promise<string> {
  const tool = tools.find((tool) => tool.name === name);
  if (tool) return tool.execute(args);
  const names = tools.map((tool) => tool.name).join(", ");
  // The name is not repeated: it may be anything, a secret too.
  const reason = () => `there is no tool of that name; the tools are ${names}`;
  return refused(new Refusal("unknown_tool", reason, "Nothing was done. Call one of those."), async (text) => text);
}

/**
 * When to recall, when to remember, and what recalled text is: for the system prompt of a model that has these tools. It
 * names no tool that is not among them.
 */
export function instructions(tools: readonly MemoryTool[]): string {
  const has = (name: string) => tools.some((tool) => tool.name === name);
  const there = (text: string) => [...text.matchAll(/`(\w+)`/g)].every(([, name]) => has(name as string));
  const scoped = tools.some((tool) => tool.inputSchema.properties.scope);
  if (there(ALL)) return scoped ? ALL : ALL.replace(/^SCOPE:.*?(?=SESSION:)/ms, "");
  const paragraphs = CORE.split("\n\n").map((paragraph) => {
    const [first = "", ...more] = paragraph.split(/(?<=[.?!]) /);
    if (!there(first) || (first.startsWith("REMEMBER") && !has("remember"))) return "";
    return [first, ...more.filter(there)].join(" ");
  });
  return paragraphs.filter(Boolean).join("\n\n");
}

/** The scope that a call is about; `undefined`: the memory's own. */
function reach(given: { [name: string]: unknown }, only: string | undefined): string | undefined {
  const { scope } = given as { scope?: string };
  delete given.scope;
  if (only === undefined || scope === undefined || scope === only) return only ?? scope;
  const reason = (excerpt: string) => `scope is ${JSON.stringify(excerpt)}; these tools keep to the scope ${JSON.stringify(only)}`;
  throw new Refusal("other_scope", reason, "Call again without it. Only whoever set these tools up can open another.", scope);
}

function fenced(schema: Listed["inputSchema"]): InputSchema {
  const { scope: _, ...properties } = schema.properties;
  return { ...schema, properties };
}
