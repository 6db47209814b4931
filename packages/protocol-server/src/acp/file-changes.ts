import { resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation } from "@agentclientprotocol/sdk";
import type { FileEdit } from "./with-editor-files.ts";

/** Names of tool arguments that contain a file path. */
const PATHS = ["file_path", "path", "filePath", "absolute_path", "notebook_path", "target_file", "move_to"] as const;
/** Names of tool arguments that contain the number of the first line to read. */
const LINES = ["offset", "line", "start_line"] as const;
/** Matches the file names in a patch. */
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gmu;
/**
 * Maximum length of the old and of the new text in a diff, in characters. For longer texts, no diff is sent to the
 * editor.
 */
const MAX_CHARS = 1024 * 1024;

type Arguments = Readonly<Record<string, unknown>>;

function isArguments(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(args: Arguments, names: readonly string[]): string | undefined {
  return names.map((name) => args[name]).find((value) => typeof value === "string");
}

/**
 * Returns the paths of the files that a tool call reads or writes, from its decoded arguments. Relative paths are
 * resolved against `root`.
 */
export function locationsOf(args: unknown, root: string): ToolCallLocation[] {
  if (typeof args === "string") return patchedFiles(args).map((path) => ({ path: resolve(root, path) }));
  if (!isArguments(args)) return [];
  const named = PATHS.map((name) => args[name]);
  const changes = Array.isArray(args["changes"]) ? args["changes"] : [];
  const listed = changes.map((change: unknown) => (isArguments(change) ? change["path"] : undefined));
  const texts = [...named, ...listed].filter((path) => typeof path === "string" && path !== "");
  const patches = ["input", "patch"].flatMap((name) => patchedFiles(args[name]));
  const line = LINES.map((name) => args[name]).find((value) => typeof value === "number" && value >= 1);
  const paths = new Set([...texts, ...patches].map((path) => resolve(root, String(path))));
  return [...paths].map((path) => ({ path, ...(typeof line === "number" ? { line: Math.floor(line) } : {}) }));
}

function patchedFiles(patch: unknown): string[] {
  if (typeof patch !== "string") return [];
  return [...patch.matchAll(PATCHED)].map(([, path = ""]) => path.trim());
}

/** Converts an edit to a diff for the editor. Empty if the old or new text is too long. */
export function diffOf({ path, oldText, newText }: FileEdit): ToolCallContent[] {
  if (newText.length > MAX_CHARS || (oldText?.length ?? 0) > MAX_CHARS) return [];
  return [{ type: "diff", path, newText, ...(oldText === undefined ? {} : { oldText }) }];
}

/**
 * Returns the edit that a tool call's arguments describe. Used before a write is approved, and for agents that write
 * files directly, not through this program.
 */
export function plannedDiff(args: unknown, root: string): ToolCallContent[] {
  if (!isArguments(args)) return [];
  const [path] = locationsOf(args, root);
  const oldText = textOf(args, ["old_string", "old_str"]);
  const newText = textOf(args, ["new_string", "new_str"]) ?? (oldText === undefined ? textOf(args, ["content"]) : "");
  return path === undefined || newText === undefined ? [] : diffOf({ path: path.path, oldText, newText });
}
