import { stripVTControlCharacters } from "node:util";
import { wrapLine } from "@switchyard/terminal";

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal styles are escape sequences.
const STYLES = /\u001b\[[\d;]*m/g;

/** Code of the escape character, which starts a style sequence. */
const ESCAPE = 0x1b;

/** Wraps a line that may contain styles at spaces. A style that is open at the end of a line continues on the next. */
export function wrapStyled(line: string, columns: number): string[] {
  const plain = stripVTControlCharacters(line);
  const wrapped = wrapLine(plain, columns);
  if (plain === line || wrapped.length === 1) return wrapped.length === 1 ? [line] : wrapped;
  let [rest, from] = [line, 0];
  return wrapped.map((part, index) => {
    const start = plain.indexOf(part, from);
    const skipped = cut(rest, start - from);
    const taken = cut(rest.slice(skipped.length), part.length);
    rest = rest.slice(skipped.length + taken.length);
    from = start + part.length;
    const styles = (skipped.match(STYLES) ?? []).join("");
    return styles + taken + (index === wrapped.length - 1 ? rest : "");
  });
}

/** Returns the beginning of a text, with the given number of visible characters. Style sequences do not count. */
function cut(text: string, count: number): string {
  let [at, left] = [0, count];
  while (at < text.length) {
    const style = text.charCodeAt(at) === ESCAPE ? (text.slice(at).match(STYLES)?.[0] ?? "") : undefined;
    if (style === undefined && left === 0) break;
    if (style === undefined) left -= 1;
    at += Math.max(style?.length ?? 1, 1);
  }
  return text.slice(0, at);
}
