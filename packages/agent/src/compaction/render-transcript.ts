import type { Turn } from "../conversation/turn.ts";
import { cutMiddle } from "./cut-middle.ts";
import { isSummary } from "./visible-turns.ts";

/** Maximum length of a user or model text, in characters. */
const MAX_TEXT = 12_000;
/** Maximum length of the arguments of one call, in characters. */
const MAX_ARGUMENTS = 2_000;
/** Maximum length of one tool result, in characters. */
const MAX_RESULT = 3_000;

/**
 * Matches entry headings and transcript tags inside quoted text. They are escaped so that they cannot imitate other
 * entries.
 */
const HEADING = /^(?=\[(?:User|Agent|Result of|Error of|Earlier summary)\b)|(?<=<)(?=\/?transcript\b)/gim;

/** Shortens a text and escapes lines that look like entry headings. */
function quoted(text: string, maxCharacters: number): string {
  return cutMiddle(text, maxCharacters).replace(HEADING, "\\");
}

/** Renders one turn as transcript entries. Empty if the turn has nothing to show. */
function entriesOf(turn: Turn): string[] {
  if (isSummary(turn)) return [`[Earlier summary]\n${turn.content}`];
  switch (turn.type) {
    case "user":
      return [`[User]\n${quoted(turn.content, MAX_TEXT)}`];
    case "steering":
      return [`[User, while the agent worked]\n${quoted(turn.content, MAX_TEXT)}`];
    case "system":
      return [];
    case "assistant":
      return [
        ...(turn.content.trim() === "" ? [] : [`[Agent]\n${quoted(turn.content, MAX_TEXT)}`]),
        ...turn.toolCalls.map((call) => `[Agent calls ${call.name}]\n${quoted(call.arguments, MAX_ARGUMENTS)}`),
      ];
    case "tool_results":
      return turn.results.map(({ name, content, isError }) => {
        return `[${isError ? "Error" : "Result"} of ${name}]\n${quoted(content, MAX_RESULT)}`;
      });
  }
}

/**
 * Renders turns as text to summarize, of approximately `maxCharacters` at most. The middle of long texts is omitted. If
 * the rest is still too long, entries between the first one and the last ones are omitted.
 */
export function renderTranscript(turns: readonly Turn[], maxCharacters: number): string {
  const [first = "", ...rest] = turns.flatMap(entriesOf);
  const start = cutMiddle(first, Math.floor(maxCharacters / 2));
  let remaining = maxCharacters - start.length;
  let from = rest.length;
  while (from > 0 && (rest[from - 1]?.length ?? 0) <= remaining) {
    from -= 1;
    remaining -= rest[from]?.length ?? 0;
  }
  const gap = from === 0 ? [] : [`[… ${from} entries left out …]`];
  return [start, ...gap, ...rest.slice(from)].join("\n\n");
}
