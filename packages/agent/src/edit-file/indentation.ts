/** Returns the leading white space of a line. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** A line that an edit searches for, and the file's line that it matches. */
export interface MatchedLine {
  readonly wanted: string;
  readonly found: string;
}

/**
 * Returns how many spaces in the edit correspond to one tab in the file. `undefined` unless the edit indents with
 * spaces and the file with tabs.
 */
function spacesPerTab(pairs: ReadonlyMap<string, string>): number | undefined {
  for (const [wanted, found] of pairs) {
    const width = wanted.length / found.length;
    if (/^ +$/.test(wanted) && /^\t+$/.test(found) && Number.isInteger(width)) return width;
  }
  return undefined;
}

/**
 * Returns how many spaces in the file correspond to one tab in the edit. `undefined` unless the edit indents with tabs
 * and the file with spaces.
 */
function spacesForTab(pairs: ReadonlyMap<string, string>): number | undefined {
  for (const [wanted, found] of pairs) {
    const width = found.length / wanted.length;
    if (/^\t+$/.test(wanted) && /^ +$/.test(found) && Number.isInteger(width)) return width;
  }
  return undefined;
}

/** Returns the longest key of `pairs` (indentations of matched lines) that is a prefix of `indent`. */
function longestKnown(pairs: ReadonlyMap<string, string>, indent: string): string {
  let longest = "";
  for (const wanted of pairs.keys()) if (indent.startsWith(wanted) && wanted.length > longest.length) longest = wanted;
  return longest;
}

/**
 * Shifts an indentation by the difference between the edit and the file. The difference is measured on the first
 * matched line.
 */
function shifted(indent: string, first: MatchedLine): string {
  const [wanted, found] = [indentOf(first.wanted), indentOf(first.found)];
  if (found.endsWith(wanted)) return found.slice(0, found.length - wanted.length) + indent;
  const removed = wanted.endsWith(found) ? wanted.slice(0, wanted.length - found.length) : "";
  return removed !== "" && indent.startsWith(removed) ? indent.slice(removed.length) : indent;
}

/**
 * Returns a function that converts the indentation of new lines to the file's style. The style is derived from the
 * matched lines: tabs or spaces, indentation width, or a deeper nesting level.
 */
export function createIndentation(lines: readonly MatchedLine[]): (indent: string) => string {
  const matched = lines.filter(({ wanted }) => wanted.trim() !== "");
  const pairs = new Map<string, string>();
  for (const { wanted, found } of matched) {
    if (!pairs.has(indentOf(wanted))) pairs.set(indentOf(wanted), indentOf(found));
  }
  const [first] = matched;
  const [perTab, forTab] = [spacesPerTab(pairs), spacesForTab(pairs)];
  const convert = (indent: string): string => {
    if (perTab !== undefined) return indent.replaceAll(" ".repeat(perTab), "\t");
    return forTab === undefined ? indent : indent.replaceAll("\t", " ".repeat(forTab));
  };
  return (indent) => {
    const known = pairs.get(indent);
    if (known !== undefined || first === undefined) return known ?? indent;
    if (perTab === undefined && forTab === undefined) return shifted(indent, first);
    const base = longestKnown(pairs, indent);
    return (pairs.get(base) ?? "") + convert(indent.slice(base.length));
  };
}
