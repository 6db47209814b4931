import { displayWidth } from "./display-width.ts";

/** One line as lines of at most so many columns, broken at spaces where there are any. */
export function wrapLine(line: string, columns: number): string[] {
  const limit = Math.max(columns, 10);
  const wrapped: string[] = [];
  let rest = line;
  while (displayWidth(rest) > limit) {
    const hard = fittingLength(rest, limit);
    const space = rest.lastIndexOf(" ", hard);
    const end = space > 0 ? space : hard;
    wrapped.push(rest.slice(0, end));
    rest = rest.slice(space > 0 ? end + 1 : end);
  }
  return [...wrapped, rest];
}

function fittingLength(text: string, columns: number): number {
  let width = 0;
  let length = 0;
  for (const character of text) {
    width += displayWidth(character);
    if (width > columns && length > 0) return length;
    length += character.length;
  }
  return length;
}
