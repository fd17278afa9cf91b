import { EbbtraceError } from "./errors.js";
import { broken } from "./exchange.js";
import type { StoredRecord } from "./records.js";
import type { Turn } from "./turns.js";
import type { RawEmbedding, RememberInput } from "./types.js";

/** What an attempt gives; where it is refused, the refusal says at which line. */
export function told<T>(line: number, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    throw at(line, error);
  }
}

/** A plain memory, and the line that it stands on. */
export interface Given {
  line: number;
  input: RememberInput;
}

/**
 * Throws what would be refused of plain memories that are stored one after the other, before the first is: each is asked
 * for without its links to those before it, which are not there yet.
 */
export async function refused(turn: Turn, given: Given[], vectors: (RawEmbedding | undefined)[], records: StoredRecord[]): Promise<void> {
  const name = (scope: string | undefined, id: unknown) => `${scope ?? "default"}\n${String(id)}`;
  const named = new Set(records.flatMap((record) => (record.record === "memory" ? [name(record.scope, record.id)] : [])));
  const lengths = new Map<string, number>();
  for (const [place, { line, input }] of given.entries()) {
    const { scope, id, links } = input;
    if (id !== undefined && links?.some(({ to }) => to === id)) throw broken(line, "it is linked to itself");
    const vector = input.embedding ?? vectors[place];
    if (vector) {
      const known = lengths.get(vector.model) ?? vector.values.length;
      lengths.set(vector.model, known);
      const { length } = vector.values;
      if (length !== known) throw broken(line, `its vector has ${length} numbers, and those of ${vector.model} before it have ${known}`);
    }
    const others = links?.filter(({ to }) => !named.has(name(scope, to)));
    await turn.staged("remember", { ...input, ...(others ? { links: others } : {}) }).catch((error: unknown) => {
      throw at(line, error);
    });
    if (id !== undefined) named.add(name(scope, id));
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
