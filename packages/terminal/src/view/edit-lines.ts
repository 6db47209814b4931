/** Lines that an edit removes and adds. */
export interface EditLines {
  /** Changed lines, derived from the call's arguments. Each begins with `-`, `+` or a space. */
  readonly lines: readonly string[];
}

/** Number of context lines around a change. */
const CONTEXT = 1;

/**
 * Returns the lines that a tool call changes; `undefined` if the call does not edit files. Derived from the arguments
 * of the built-in tools, and of third-party tools with the same names.
 */
export function editLinesOf(name: string, callArguments: unknown): EditLines | undefined {
  const values = argumentsIn(callArguments);
  const text = (key: string): string | undefined => {
    const value = values.get(key);
    return typeof value === "string" ? value : undefined;
  };
  const patch = text("patch") ?? text("input");
  if (name === "apply_patch" && patch !== undefined) return { lines: patchLines(patch) };
  const [before, after] = [text("old_string"), text("new_string")];
  if (before !== undefined && after !== undefined) return { lines: changedLines(before, after) };
  const changes = values.get("changes");
  if (Array.isArray(changes)) return linesOfChanges(changes);
  const content = text("content");
  const isWrite = name === "write_file" || name === "Write";
  return isWrite && content !== undefined ? { lines: linesOf(content).map((line) => `+${line}`) } : undefined;
}

/**
 * Returns the lines of several changed files, each after its path. A change has a unified diff (Codex), or the text
 * before and after it (Agent Client Protocol). `undefined` if a change has neither.
 */
function linesOfChanges(changes: readonly unknown[]): EditLines | undefined {
  const lines: string[] = [];
  for (const change of changes) {
    const values = argumentsIn(change);
    const [path, diff] = [values.get("path"), values.get("diff")];
    const [before = "", after] = [values.get("oldText") ?? "", values.get("newText")];
    if (typeof path !== "string") return undefined;
    lines.push(`*** ${path}`);
    if (typeof diff === "string") lines.push(...linesOf(diff));
    else if (typeof before === "string" && typeof after === "string") lines.push(...changedLines(before, after));
    else return undefined;
  }
  return lines.length === 0 ? undefined : { lines };
}

function argumentsIn(callArguments: unknown): ReadonlyMap<string, unknown> {
  const value = typeof callArguments === "string" ? parse(callArguments) : callArguments;
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON. The loop reports the problem to the model.
  }
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

function patchLines(patch: string): string[] {
  return linesOf(patch).filter((line) => !/^\*\*\* (?:Begin|End) Patch/.test(line));
}

function changedLines(before: string, after: string): string[] {
  // A new file has no lines before the change.
  const [old, next] = [before === "" ? [] : linesOf(before), after === "" ? [] : linesOf(after)];
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, next.length) - head;
  while (tail < most && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(Math.max(0, head - CONTEXT), head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...next.slice(head, next.length - tail).map((line) => `+${line}`),
    ...next.slice(next.length - tail, next.length - tail + CONTEXT).map((line) => ` ${line}`),
  ];
}
