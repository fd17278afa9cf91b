import { EbbtraceError } from "../errors.js";
import { visible } from "./words.js";

/** A call that can't be carried out as it came. */
export class Refusal {
  readonly code: string;
  /** What came and what is allowed, around an excerpt of `quotes`. */
  readonly reason: (excerpt: string) => string;
  /** What the model sent that the reason repeats: a secret in it must not be said again. */
  readonly quotes: string;
  readonly nextStep: string;

  constructor(code: string, reason: (excerpt: string) => string, nextStep: string, quotes = "") {
    this.code = code;
    this.reason = reason;
    this.quotes = quotes;
    this.nextStep = nextStep;
  }

  /** An argument that can't be taken for what it should be; `came` may quote what it was. */
  static argument(place: string, came: (excerpt: string) => string, allowed: string, quotes = ""): Refusal {
    const reason = (excerpt: string) => `${place} is ${came(excerpt)}; allowed is ${allowed}`;
    return new Refusal("invalid_argument", reason, "Call again with an allowed value.", quotes);
  }
}

/** How much of what came an error repeats, in characters. */
const EXCERPT = 60;

/** Why a call failed, as a model reads it: code, reason, next step. `redact` takes secrets out of a text. */
export async function refused(thrown: unknown, redact: (text: string) => Promise<string>): Promise<string> {
  // A closed memory can't tell what a secret is: then nothing is repeated.
  const clean = (text: string) => redact(text).catch(() => undefined);
  if (thrown instanceof Refusal) {
    const quoted = await clean(thrown.quotes);
    const reason = thrown.reason(quoted === undefined ? "(not repeated)" : cut(quoted));
    return said(thrown.code, (await clean(reason)) ?? thrown.reason("(not repeated)"), thrown.nextStep);
  }
  const { code, message, nextStep } = known(thrown) ? thrown : broken(thrown);
  return said(code, (await clean(message)) ?? message, nextStep);
}

/** An error of the package's: known by its fields, since each entry of the package has a class of its own. */
function known(thrown: unknown): thrown is EbbtraceError {
  const told = thrown as Partial<EbbtraceError> | null;
  return typeof told?.code === "string" && typeof told.message === "string" && typeof told.nextStep === "string";
}

function broken(thrown: unknown): EbbtraceError {
  const what = `the call failed inside ebbtrace: ${String((thrown as Error | null)?.message ?? thrown)}`;
  return new EbbtraceError("internal", what, "Recall what you stored to see whether it is there before you call again.");
}

/** The most that a reason says, in characters, of which the last tell what was expected. */
const MOST = 1_000;
const LAST = 300;

function said(code: string, reason: string, nextStep: string): string {
  const characters = [...visible(reason).replace(/\.+$/, "")];
  const long = characters.length > MOST;
  const told = long ? [...characters.slice(0, MOST - LAST - 1), "…", ...characters.slice(-LAST)] : characters;
  return `Error ${code}: ${told.join("")}. Next step: ${nextStep}`;
}

function cut(text: string): string {
  const characters = [...text.slice(0, 2 * EXCERPT + 2)];
  return characters.length > EXCERPT ? `${characters.slice(0, EXCERPT).join("")}…` : text;
}
