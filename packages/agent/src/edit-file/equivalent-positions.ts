import { nextOccurrence } from "./occurrences.ts";

/** A part of a text. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** A character of a text that stands for several when it is taken apart. */
interface Composed {
  /** Where it stands in the text. */
  readonly original: Place;
  /** Where its parts stand in the text that is taken apart. */
  readonly parts: Place;
}

interface Decomposed {
  readonly text: string;
  readonly composed: readonly Composed[];
}

function decompose(text: string): Decomposed {
  const composed: Composed[] = [];
  let grown = 0;
  const taken = text.replace(/[^\p{ASCII}]/gu, (character: string, start: number) => {
    const parts = character.normalize("NFD");
    if (parts === character) return character;
    composed.push({
      original: { start, end: start + character.length },
      parts: { start: start + grown, end: start + grown + parts.length },
    });
    grown += parts.length - character.length;
    return parts;
  });
  return { text: taken, composed };
}

/** The position in the original text; nothing in the middle of a character. */
function originalPosition(composed: readonly Composed[], position: number): number | undefined {
  let [low, high] = [0, composed.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((composed[middle]?.parts.start ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  const before = composed[low - 1];
  if (before === undefined) return position;
  const { original, parts } = before;
  if (position === parts.start) return original.start;
  return position < parts.end ? undefined : original.end + position - parts.end;
}

const MARK = /^\p{Mark}/u;

/**
 * Where a text stands whose characters may be composed otherwise, as é is one character or an e and its accent. When one
 * place is meant, at most two are told, and these may share a part. loop: edit_file, §3.3.
 */
export function equivalentPositions(text: string, wanted: string, replaceAll: boolean): Place[] {
  const found: Place[] = [];
  const parts = decompose(wanted).text;
  // Plain characters have one form only.
  if (parts === "" || /^\p{ASCII}*$/u.test(parts)) return found;
  const { text: whole, composed } = decompose(text);
  for (let at = nextOccurrence(whole, parts, 0); at !== -1; ) {
    const behind = at + parts.length;
    const start = originalPosition(composed, at);
    // What begins with the wanted text and has one accent more is another character.
    const end = MARK.test(whole.slice(behind, behind + 2)) ? undefined : originalPosition(composed, behind);
    const isPlace = start !== undefined && end !== undefined;
    if (isPlace) found.push({ start, end });
    if (found.length > 1 && !replaceAll) break;
    at = nextOccurrence(whole, parts, isPlace && replaceAll ? behind : at + 1);
  }
  return found;
}
