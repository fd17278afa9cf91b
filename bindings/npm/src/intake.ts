import { EbbtraceError } from "./errors.js";
import { broken } from "./exchange.js";
import type { StoredRecord } from "./records.js";
import type { Turn } from "./turns.js";
import type { RememberInput } from "./types.js";

/** What an attempt gives; where it is refused, the refusal says at which line. */
export function told<T>(line: number, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    throw at(line, error);
  }
}

/** Throws what the engine would refuse of a plain memory. One that links to an earlier line is found out at its write. */
export async function refused(turn: Turn, line: number, input: RememberInput): Promise<void> {
  try {
    await turn.staged("remember", input);
  } catch (error) {
    if (!(error instanceof EbbtraceError && error.code === "not_found")) throw at(line, error);
  }
}

/** How many secrets the records hold; a record that the engine can't read is named by its line. */
export async function secrets(turn: Turn, records: StoredRecord[], lines: number[]): Promise<number> {
  try {
    return await turn.read<number>("secrets", { records });
  } catch (error) {
    for (const [place, record] of records.entries()) {
      await turn.read("secrets", { records: [record] }).catch((error: unknown) => {
        throw at(lines[place] ?? 0, error);
      });
    }
    throw error;
  }
}

/** The engine's refusal of a record, which tells its place among the records, with the line. */
export function inLine(error: unknown, lines: number[]): never {
  const place = error instanceof EbbtraceError && error.code === "bad_record" ? /^record (\d+)/.exec(error.message)?.[1] : undefined;
  const line = place === undefined ? undefined : lines[Number(place)];
  throw line === undefined ? error : at(line, error);
}

function at(line: number, error: unknown): unknown {
  if (!(error instanceof EbbtraceError) || error.code === "internal" || error.code === "closed") return error;
  return broken(line, error.message.replace(/^(input|records): (Error: )?/, ""));
}
