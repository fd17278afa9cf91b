import { Refusal } from "./refusal.js";

const ALLOWED =
  "a time such as 2026-10-15, 2026-10-15T09:30:00Z or 2026-10-15T09:30:00+09:00 (without a zone it is UTC), or milliseconds since 1970";
const WRITTEN = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?(?:(Z)|([+-])(\d\d):?(\d\d))?)?$/i;

/** Reads an RFC 3339 time, a date (its first instant in UTC), a date and time without a zone (UTC), or milliseconds. */
export function read(argument: string, text: string): number {
  const told = text.trim();
  const at = /^[+-]?\d+$/.test(told) ? milliseconds(Number(told)) : written(told);
  if (at !== undefined) return at;
  throw Refusal.argument(argument, (excerpt) => JSON.stringify(excerpt), ALLOWED, text);
}

/** RFC 3339 in UTC, to the millisecond where it has one. */
export function write(at: number): string {
  return new Date(at).toISOString().replace(/(\.\d*?)0+Z$/, "$1Z").replace(".Z", "Z");
}

/** As likely seconds as milliseconds, or a date without its dashes: that is no time. */
function milliseconds(number: number): number | undefined {
  const size = Math.abs(number);
  return Number.isSafeInteger(number) && !(size >= 10_000_000 && size < 100_000_000_000) ? number : undefined;
}

function written(text: string): number | undefined {
  const found = WRITTEN.exec(text);
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
  const [fraction, , sign, hours, minutes] = found.slice(7) as (string | undefined)[];
  if (hour > 23 || minute > 59 || second > 60 || Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // The 30th of February would be a day in March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, Math.min(second, 59), Number((fraction ?? "0").slice(0, 3).padEnd(3, "0")));
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return date.getTime() - (sign === "-" ? -offset : offset);
}
