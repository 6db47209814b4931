import { displayWidth } from "./display-width.ts";

const MIN_COLUMNS = 10;

/**
 * Wraps a line to a number of columns, at spaces if possible. Wraps to `least` columns if `columns` is smaller. A
 * single character may be wider than the limit.
 */
export function wrapLine(line: string, columns: number, least: number = MIN_COLUMNS): string[] {
  const limit = Math.max(columns, least);
  const wrapped: string[] = [];
  let start = 0;
  let space = 0;
  let width = 0;
  let at = 0;
  // Must take linear time, because a model may respond with a line of a million characters.
  for (const character of line) {
    width += displayWidth(character);
    if (character === " ") space = at;
    if (width > limit && at > start) {
      const end = space > start ? space : at;
      wrapped.push(line.slice(start, end));
      start = space > start ? space + 1 : at;
      width = displayWidth(line.slice(start, at + character.length));
    }
    at += character.length;
  }
  return [...wrapped, line.slice(start)];
}
