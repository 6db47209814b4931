import type { Turn } from "../conversation/turn.ts";
import { cutMiddle } from "./cut-middle.ts";
import { isSummary } from "./visible-turns.ts";

/** Characters of one text of the user or the model. */
const MAX_TEXT = 12_000;
/** Characters of the arguments of one call. */
const MAX_ARGUMENTS = 2_000;
/** Characters of one tool result. */
const MAX_RESULT = 3_000;

/** What stands in front of an entry, and round all of them: a text that has it in it must not pass for another entry. */
const HEADING = /^(?=\[(?:User|Agent|Result of|Error of|Earlier summary)\b)|(?<=<)(?=\/?transcript\b)/gim;

/** A text of which the beginning and the end are kept, and no line looks like the heading of an entry. */
function quoted(text: string, maxCharacters: number): string {
  return cutMiddle(text, maxCharacters).replace(HEADING, "\\");
}

/** One turn for a reader; nothing where nothing was said. */
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
 * Turns as a text to summarise, of at most about that many characters: long texts lose their middle, and where all of
 * it does not fit, what is said between the first entry and the last ones is left out.
 */
export function renderTranscript(turns: readonly Turn[], maxCharacters: number): string {
  const [first = "", ...rest] = turns.flatMap(entriesOf);
  const start = cutMiddle(first, Math.floor(maxCharacters / 2));
  let left = maxCharacters - start.length;
  let from = rest.length;
  while (from > 0 && (rest[from - 1]?.length ?? 0) <= left) {
    from -= 1;
    left -= rest[from]?.length ?? 0;
  }
  const gap = from === 0 ? [] : [`[… ${from} entries left out …]`];
  return [start, ...gap, ...rest.slice(from)].join("\n\n");
}
