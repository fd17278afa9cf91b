// The tools as the MCP server lists them, and what it tells a model of their use: written once, in Rust, and taken from
// there when the package is built.
import { readFileSync } from "node:fs";

const GOLDEN = new URL("../../host-native/tests/golden/tools.json", import.meta.url);
const TOLD = new URL("../../host-native/src/mcp/instructions.rs", import.meta.url);

/** Each tool's name, description and input schema, with no argument beside those that are named. */
export function listing() {
  const { tools } = JSON.parse(readFileSync(GOLDEN, "utf8"));
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description: name === "review_queue" ? once(description, ASKING, ".") : description,
    inputSchema: closed(name === "review_queue" ? without(inputSchema, "ask") : inputSchema),
  }));
}

/** What the server tells a model that has all tools, and one that has the core ones. */
export function instructions() {
  const source = readFileSync(TOLD, "utf8");
  return { all: constant(source, "INSTRUCTIONS"), core: constant(source, "CORE") };
}

/** Here no tool asks the human: the application does, out of the model's reach. */
const ASKING = ": with ask, through this client, or at a terminal.";

function once(text, part, instead) {
  if (text.split(part).length !== 2) throw new Error(`the listing no longer says ${JSON.stringify(part)} once`);
  return text.replace(part, instead);
}

function without(schema, name) {
  if (!schema.properties[name]) throw new Error(`the listing no longer has the argument ${name}`);
  const { [name]: _, ...properties } = schema.properties;
  return { ...schema, properties };
}

/** Says of every object whose fields are named that it has no others. */
function closed(schema) {
  const made = { ...schema };
  if (made.properties) {
    made.properties = Object.fromEntries(Object.entries(made.properties).map(([name, field]) => [name, closed(field)]));
    made.additionalProperties = false;
  }
  if (made.items) made.items = closed(made.items);
  return made;
}

/** The text of a constant in Rust: a backslash at a line's end takes the break and the next line's indent away. */
function constant(source, name) {
  const found = new RegExp(`^const ${name}: &str = "((?:[^"\\\\]|\\\\[\\s\\S])*)";`, "m").exec(source);
  if (!found) throw new Error(`there is no constant ${name} in ${TOLD.pathname}`);
  return found[1].replace(/\\(\n\s*|.)/g, (_, escaped) => {
    if (escaped.startsWith("\n")) return "";
    if (escaped !== '"' && escaped !== "\\") throw new Error(`${name} has an escape that is not known here: ${escaped}`);
    return escaped;
  });
}

/** The listing as a module of the package. */
export function module() {
  const { all, core } = instructions();
  const lines = [
    "// Made by listing.mjs from the tools of the MCP server. Not to be edited.",
    'import type { Listed } from "./definition.js";',
    "",
    `export const LISTING: Listed[] = ${JSON.stringify(listing(), null, 2)};`,
    `export const ALL = ${JSON.stringify(all)};`,
    `export const CORE = ${JSON.stringify(core)};`,
  ];
  return `${lines.join("\n")}\n`;
}
