/** Opening line of a fenced code block. */
export interface Fence {
  /** Line of backticks or tildes. */
  readonly marker: string;
  /** Number of spaces before the marker. */
  readonly indent: number;
  /** Text after the marker, usually the language of the code. */
  readonly label: string;
  /** Whether empty lines precede the fence. */
  readonly hasGap: boolean;
  /** Length of the opening line with its line break and the empty lines before it, in characters. */
  readonly length: number;
}

const OPENING = /^((?:[ \t]*\n)*)( {0,3})(`{3,}(?=[^`\n]*\n)|~{3,})([^\n]*)\n/;

/**
 * Returns the opening fence at the start of a text. `undefined` if the text does not start with a fence, or if the
 * fence's line is not complete.
 */
export function openFence(text: string): Fence | undefined {
  const found = OPENING.exec(text);
  if (found === null) return undefined;
  const [opening, gap = "", indent = "", marker = "", label = ""] = found;
  return { marker, indent: indent.length, label, hasGap: gap !== "", length: opening.length };
}

/** Returns whether a line closes a fenced code block. */
export function isClosing(line: string, { marker }: Fence): boolean {
  const [, closing = ""] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
  return closing[0] === marker[0] && closing.length >= marker.length;
}

/** Removes the indentation of the fence from a line of its code. */
export function withoutIndent(line: string, { indent }: Fence): string {
  let at = 0;
  while (at < indent && line[at] === " ") at += 1;
  return line.slice(at);
}
