/** A JSON Schema in the plain dialect that every model's API takes: one type each, no unions, no formats. */
export interface JsonSchema {
  type: "object" | "array" | "string" | "number" | "integer" | "boolean";
  description?: string;
  properties?: { [name: string]: JsonSchema };
  required?: string[];
  additionalProperties?: false;
  items?: JsonSchema;
  enum?: string[];
}

/** The schema of a tool's arguments. */
export interface InputSchema extends JsonSchema {
  type: "object";
  properties: { [name: string]: JsonSchema };
}

/** A tool as it is listed. */
export interface Listed {
  name: Verb;
  description: string;
  inputSchema: InputSchema;
}

/** The names of all tools. None leads to a decision, a deletion, an import or an export. */
export type Verb =
  | "remember"
  | "recall"
  | "update"
  | "resume"
  | "handoff"
  | "track_failure"
  | "track_progress"
  | "connect"
  | "reinforce"
  | "forget"
  | "neighbors"
  | "pin"
  | "maintain"
  | "review_queue"
  | "stats";
