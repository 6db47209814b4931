import { nextOccurrence } from "./occurrences.ts";

/** Range of a text. */
interface Position {
  readonly start: number;
  readonly end: number;
}

/** A composed character, such as `é`, that Unicode decomposition splits into several characters. */
interface Composed {
  /** Range of the character in the original text. */
  readonly original: Position;
  /** Range of the character in the text after Unicode decomposition. */
  readonly parts: Position;
}

interface Decomposed {
  readonly text: string;
  readonly composed: readonly Composed[];
}

function decompose(text: string): Decomposed {
  const composed: Composed[] = [];
  let grown = 0;
  const replaced = text.replace(/[^\p{ASCII}]/gu, (character: string, start: number) => {
    const parts = character.normalize("NFD");
    if (parts === character) return character;
    composed.push({
      original: { start, end: start + character.length },
      parts: { start: start + grown, end: start + grown + parts.length },
    });
    grown += parts.length - character.length;
    return parts;
  });
  return { text: replaced, composed };
}

/**
 * Maps an offset in the decomposed text to the original text. `undefined` for an offset inside a composed character.
 */
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
 * Finds a text regardless of Unicode composition, for example é as one character or as e plus accent. Unless
 * `replaceAll` is set, returns at most two matches, which may overlap. See loop: edit_file, §3.3.
 */
export function equivalentPositions(text: string, wanted: string, replaceAll: boolean): Position[] {
  const found: Position[] = [];
  const parts = decompose(wanted).text;
  // ASCII text has no other Unicode composition, so an equivalent spelling cannot exist.
  if (parts === "" || /^\p{ASCII}*$/u.test(parts)) return found;
  const { text: decomposed, composed } = decompose(text);
  for (let at = nextOccurrence(decomposed, parts, 0); at !== -1; ) {
    const partEnd = at + parts.length;
    const start = originalPosition(composed, at);
    // A match followed by a combining mark is part of a different character.
    const end = MARK.test(decomposed.slice(partEnd, partEnd + 2)) ? undefined : originalPosition(composed, partEnd);
    const isMapped = start !== undefined && end !== undefined;
    if (isMapped) found.push({ start, end });
    if (found.length > 1 && !replaceAll) break;
    at = nextOccurrence(decomposed, parts, isMapped && replaceAll ? partEnd : at + 1);
  }
  return found;
}
