import { REDACTED } from "../secret/secret.ts";
import type { PatternAutomaton } from "./pattern-automaton.ts";

/** Masks a text that arrives in pieces. */
export interface MaskStream {
  /** Takes a piece; gives what is safe to show by now. Holds back only what may be the beginning of a secret. */
  write(chunk: string): string;
  /** Gives what was held back; the stream can then be used for another text. */
  end(): string;
}

/** A stretch of secrets, from its first unit to the one after its last. */
interface Span {
  start: number;
  end: number;
}

/** Secrets that overlap are one span, so that no end of either is left over; spans come in the order of their ends. */
function addSpan(spans: Span[], start: number, end: number): void {
  let from = start;
  for (let last = spans.at(-1); last !== undefined && last.end > start; last = spans.at(-1)) {
    from = Math.min(from, last.start);
    spans.pop();
  }
  spans.push({ start: from, end });
}

/** Gives out the text before `limit`, each span as one marker, and what of the spans lies beyond it. */
function takeDecided(held: string, spans: readonly Span[], limit: number): { output: string; left: Span[] } {
  let output = "";
  let position = 0;
  let taken = 0;
  for (const span of spans) {
    if (span.end > limit) break;
    output += held.slice(position, span.start) + REDACTED;
    position = span.end;
    taken += 1;
  }
  // A span that goes beyond keeps its rest; its text is hidden already.
  const end = Math.min(limit, spans[taken]?.start ?? limit);
  if (position < end) output += held.slice(position, end);
  const left = spans.slice(taken).map((span) => ({ start: Math.max(0, span.start - limit), end: span.end - limit }));
  return { output, left };
}

/** Masks with an automaton. Contract: joined, the pieces of any cut of a text give what the whole text gives. */
export function createMaskStream(automaton: PatternAutomaton): MaskStream {
  // Positions in spans count from the beginning of `held`, the first unit that is not decided.
  let held = "";
  let state = 0;
  let spans: Span[] = [];

  function take(limit: number): string {
    const { output, left } = takeDecided(held, spans, limit);
    held = held.slice(limit);
    spans = left;
    return output;
  }

  return {
    write(chunk) {
      let position = held.length;
      held += chunk;
      for (; position < held.length; position += 1) {
        state = automaton.next(state, held.charCodeAt(position));
        const length = automaton.matched(state);
        if (length > 0) addSpan(spans, position + 1 - length, position + 1);
      }
      // A pattern still to come begins no earlier than the longest end that is a beginning of one.
      return take(held.length - automaton.depth(state));
    },
    end() {
      state = 0;
      return take(held.length);
    },
  };
}
