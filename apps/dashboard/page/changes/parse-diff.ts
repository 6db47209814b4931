/** Kind of a line in a diff. */
type DiffLineKind = "added" | "removed" | "context" | "hunk" | "note";

/** Line of a diff, without its leading `+`, `-` or space. */
export interface DiffLine {
  readonly kind: DiffLineKind;
  readonly text: string;
  /** Line number before the change. `undefined` for added lines. */
  readonly before?: number | undefined;
  /** Line number after the change. `undefined` for removed lines. */
  readonly after?: number | undefined;
}

/** Changes of one file. */
export interface FileChange {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** Part of the diff that concerns the file. Parsed only when the file is expanded. */
  readonly text: string;
}

const ESCAPED: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" };

/** Returns a path without git's quoting. Git quotes paths that contain quotes, backslashes or control characters. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  return name.slice(1, -1).replace(/\\([0-7]{3}|.)/g, (_, code: string) => {
    return code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPED[code] ?? code);
  });
}

/** Returns the path of the file that a part of a diff concerns. */
function pathOf(lines: readonly string[]): string {
  const named = (mark: string, prefix: string): string | undefined => {
    const line = lines.find((other) => other.startsWith(mark) && other !== `${mark}/dev/null`);
    const name = line === undefined ? "" : unquoted(line.slice(mark.length).replace(/\t.*$/, ""));
    return line !== undefined && name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
  };
  const [header = ""] = lines;
  return named("+++ ", "b/") ?? named("--- ", "a/") ?? named("rename to ", "") ?? pathIn(header) ?? header;
}

/** Returns the path in a diff header such as `diff --git a/x b/x`. `undefined` if the two paths differ. */
function pathIn(header: string): string | undefined {
  const names = header.replace(/^diff --git /, "");
  const quoted = / ("b\/(?:[^"\\]|\\.)*")$/.exec(names)?.[1];
  if (quoted !== undefined) return unquoted(quoted).slice(2);
  const path = names.slice((names.length + 1) / 2 + 2);
  return names === `a/${path} b/${path}` ? path : undefined;
}

/** Splits a unified diff into its files, in order. Text before the first file becomes an entry too. */
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

/** Parses the part of a diff that concerns one file into numbered lines. */
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
