import { structuredPatch } from "diff";
import type { DiffLine } from "./parse-diff.ts";

/** Number of unchanged lines around a change. */
const CONTEXT_LINES = 3;
/** Maximum length of a text that is compared, in characters, because the comparison takes quadratic time. */
const MAX_CHARS = 200_000;

/** Edit of one file by a tool call. */
export interface FileEdit {
  /** Path of the file, as the tool call names it. Empty if unknown. */
  readonly path: string;
  readonly lines: readonly DiffLine[];
}

type Arguments = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the first argument that is a text, under one of the names that tools use for it. */
function textIn(args: Arguments, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = args[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}

function pathIn(args: Arguments): string {
  return textIn(args, "file_path", "filePath", "path", "target_file", "filename") ?? "";
}

function lineOf(text: string): DiffLine {
  const kind = text.startsWith("+") ? "added" : text.startsWith("-") ? "removed" : "context";
  return { kind, text: text.slice(1) };
}

/** Compares two texts line by line. Line numbers are unknown, because a tool call names only a part of the file. */
function compared(before: string, after: string): readonly DiffLine[] {
  if (before.length + after.length > MAX_CHARS) {
    return [
      ...before.split("\n").map((text): DiffLine => ({ kind: "removed", text })),
      ...after.split("\n").map((text): DiffLine => ({ kind: "added", text })),
    ];
  }
  const { hunks } = structuredPatch("a", "b", before, after, "", "", { context: CONTEXT_LINES });
  return hunks.flatMap(({ lines }, index): DiffLine[] => {
    const shown = lines.filter((line) => !line.startsWith("\\")).map(lineOf);
    return index === 0 ? shown : [{ kind: "hunk", text: "…" }, ...shown];
  });
}

function replacementIn(args: Arguments, path: string): FileEdit | undefined {
  const before = textIn(args, "old_string", "oldString", "old_text", "oldText", "old_str");
  const after = textIn(args, "new_string", "newString", "new_text", "newText", "new_str");
  if (before === undefined || after === undefined) return undefined;
  return { path: pathIn(args) || path, lines: compared(before, after) };
}

/** Returns the edits in a patch: `*** Begin Patch` of codex, or a unified diff. */
function editsInPatch(patch: string): readonly FileEdit[] {
  const edits: { path: string; lines: DiffLine[] }[] = [];
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const path = /^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?|\*\*\* Move to: )(.+)$/.exec(line)?.[1];
    if (path !== undefined) edits.push({ path, lines: [] });
    else if (/^(?:\*\*\* |--- |diff |index )/.test(line)) continue;
    else if (line.startsWith("@@")) edits.at(-1)?.lines.push({ kind: "hunk", text: line });
    else edits.at(-1)?.lines.push(lineOf(line));
  }
  return edits.filter(({ path }) => path !== "/dev/null");
}

function isPatch(text: string | undefined): text is string {
  return text !== undefined && /^(?:\*\*\* Begin Patch|diff --git |--- )/m.test(text);
}

/**
 * Returns the edits of files that a tool call makes, from its arguments as JSON. Understands the edit, write and patch
 * tools of the built-in agent and of the adapters. Returns an empty list for other calls.
 */
export function editsOf(name: string, argumentsText: string): readonly FileEdit[] {
  const args = parsed(argumentsText);
  if (!isRecord(args)) return isPatch(argumentsText) ? editsInPatch(argumentsText) : [];
  const path = pathIn(args);
  const replacement = replacementIn(args, path);
  if (replacement !== undefined) return [replacement];
  const { edits } = args;
  if (Array.isArray(edits)) {
    return edits.filter(isRecord).flatMap((edit) => replacementIn(edit, path) ?? []);
  }
  const patch = textIn(args, "patch", "input", "diff", "unified_diff", "patch_text", "patchText");
  if (isPatch(patch)) return editsInPatch(patch);
  const content = textIn(args, "content", "contents", "text");
  if (path === "" || content === undefined || !/write|create/i.test(name)) return [];
  return [{ path, lines: compared("", content) }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
