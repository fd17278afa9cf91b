// How times and names are told.

export const DAY = 86_400_000;
export const TIERS = ["hot", "warm", "cold", "frozen"];

const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

export function date(at) {
  return DATE.format(at);
}

/** An age in the unit that fits. */
export function age(days) {
  if (days < 1 / 24) return "just now";
  if (days < 1) return count(Math.round(days * 24), "hour");
  return span(days);
}

/** A number of days, told as days, weeks, months or years. */
export function span(days) {
  if (days >= 700) return count(Math.round((days / 365.25) * 10) / 10, "year");
  if (days >= 350 && days <= 380) return "1 year";
  if (days >= 60) return count(Math.round(days / 30.44), "month");
  if (days >= 14) return count(Math.round(days / 7), "week");
  return count(Math.round(days), "day");
}

export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

export function memories(number) {
  return `${number.toLocaleString("en")} ${number === 1 ? "memory" : "memories"}`;
}

/** The start of a text, for where only a line fits. */
export function brief(text, length = 60) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line;
}

/** The parts of a score, in the words of the page. */
export const PARTS = {
  lexical: ["words", "Words that it shares with the question, rare ones more"],
  tokens: ["each word", "How near its words come to each of the question's in meaning"],
  vector: ["meaning", "How near the whole text comes in meaning"],
  session: ["session", "What was said around it in its session"],
  author: ["author", "Who said it"],
  time: ["time", "When it was said, where the question asks for a time"],
  answer: ["answer", "It holds the kind of thing that the question asks for"],
  substance: ["substance", "It says something of its own"],
  graph: ["links", "Links from what matched"],
  strength: ["strength", "How little it has faded"],
  activation: ["activation", "How much it and what is linked to it are in use"],
  second_stage: ["second look", "What a reranker made of it"],
};
