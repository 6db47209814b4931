/** What a line of a diff is. */
type DiffLineKind = "added" | "removed" | "context" | "hunk" | "note";

/** One line of a diff, without its mark. */
export interface DiffLine {
  readonly kind: DiffLineKind;
  readonly text: string;
  /** Its number before the change; unset where it was not there. */
  readonly before?: number | undefined;
  /** Its number after the change; unset where it is no more. */
  readonly after?: number | undefined;
}

/** What happened to one file. */
export interface FileChange {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** Its part of the diff, taken apart when somebody looks. */
  readonly text: string;
}

const ESCAPED: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" };

/** A path as it is: git puts those with quotes, backslashes and control characters in quotes. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  return name.slice(1, -1).replace(/\\([0-7]{3}|.)/g, (_, code: string) => {
    return code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPED[code] ?? code);
  });
}

/** The path that a part of a diff is about. */
function pathOf(lines: readonly string[]): string {
  const named = (mark: string, prefix: string): string | undefined => {
    const line = lines.find((other) => other.startsWith(mark) && other !== `${mark}/dev/null`);
    const name = line === undefined ? "" : unquoted(line.slice(mark.length).replace(/\t.*$/, ""));
    return line !== undefined && name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
  };
  const [header = ""] = lines;
  return named("+++ ", "b/") ?? named("--- ", "a/") ?? named("rename to ", "") ?? pathIn(header) ?? header;
}

/** The path that both names of a header are of, as `a/x b/x`. */
function pathIn(header: string): string | undefined {
  const names = header.replace(/^diff --git /, "");
  const quoted = / ("b\/(?:[^"\\]|\\.)*")$/.exec(names)?.[1];
  if (quoted !== undefined) return unquoted(quoted).slice(2);
  const path = names.slice((names.length + 1) / 2 + 2);
  return names === `a/${path} b/${path}` ? path : undefined;
}

/** The files of a unified diff, in its order. What comes before the first of them is one of its own. */
export function filesOfDiff(diff: string): readonly FileChange[] {
  if (diff.trim() === "") return [];
  const parts = diff.split(/^(?=diff --git )/m);
  return parts
    .filter((part) => part.trim() !== "")
    .map((text) => {
      const lines = text.split("\n");
      const body = lines.findIndex((line) => line.startsWith("@@"));
      const header = body < 0 ? lines : lines.slice(0, body);
      const changed = body < 0 ? [] : lines.slice(body);
      return {
        path: pathOf(header),
        added: changed.filter((line) => line.startsWith("+")).length,
        removed: changed.filter((line) => line.startsWith("-")).length,
        text,
      };
    });
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The lines of one file's part of a diff, numbered. */
export function linesOfFile(text: string): readonly DiffLine[] {
  const found: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let isBody = false;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      [before, after, isBody] = [Number(hunk[1]), Number(hunk[2]), true];
      found.push({ kind: "hunk", text: line });
    } else if (!isBody) {
      if (!/^(?:diff|index|---|\+\+\+) /.test(line)) found.push({ kind: "note", text: line });
    } else if (line.startsWith("+")) found.push({ kind: "added", text: line.slice(1), after: after++ });
    else if (line.startsWith("-")) found.push({ kind: "removed", text: line.slice(1), before: before++ });
    else if (line.startsWith("\\")) found.push({ kind: "note", text: line });
    else found.push({ kind: "context", text: line.slice(1), before: before++, after: after++ });
  }
  return found;
}
