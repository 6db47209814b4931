import { EngineError } from "@switchyard/contracts";
import type { GlobMatcher } from "./compile-glob.ts";
import { compileGlob } from "./compile-glob.ts";

/** More lines than this in one file of rules are not looked at. */
const MAX_RULES = 5000;

/** One line of a `.gitignore`. */
export interface IgnoreRule {
  /** Its pattern, without `!` and without the slash at the end. */
  readonly pattern: string;
  /** Whether it takes back an earlier rule. */
  readonly negated: boolean;
  /** Whether it is about folders only. */
  readonly foldersOnly: boolean;
  /** Whether it holds at one place instead of at any depth. */
  readonly anchored: boolean;
  /** Whether a path below the folder of the file fits. */
  readonly matches: GlobMatcher;
}

/** Rules of one folder. */
export interface IgnoreRules {
  /** The folder, relative to the root, with `/`; empty for the root. */
  readonly folder: string;
  /** Its lines in order; the last that fits decides. */
  readonly rules: readonly IgnoreRule[];
}

/** Reads the text of a `.gitignore`; lines that are no valid pattern are left out, as git does. */
export function parseIgnoreRules(text: string, folder: string): IgnoreRules {
  const rules: IgnoreRule[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split("\n", MAX_RULES)) {
    const rule = parseRule(line.replace(/\r$/, ""));
    if (rule !== undefined) rules.push(rule);
  }
  return { folder, rules };
}

/** Whether a path relative to the root is ignored by rules listed from the root downwards. Parents are not looked at. */
export function isIgnored(layers: readonly IgnoreRules[], path: string, isFolder: boolean): boolean {
  for (const { folder, rules } of layers.toReversed()) {
    if (folder !== "" && !path.startsWith(`${folder}/`)) continue;
    const below = folder === "" ? path : path.slice(folder.length + 1);
    const decisive = rules.findLast((rule) => (isFolder || !rule.foldersOnly) && rule.matches(below));
    if (decisive !== undefined) return !decisive.negated;
  }
  return false;
}

/** Whether a path, or a folder on the way to it, is ignored. */
export function isBelowIgnored(layers: readonly IgnoreRules[], path: string): boolean {
  const names = path.split("/");
  for (let count = 1; count <= names.length; count += 1) {
    if (isIgnored(layers, names.slice(0, count).join("/"), count < names.length)) return true;
  }
  return false;
}

function parseRule(line: string): IgnoreRule | undefined {
  const trimmed = withoutTrailingSpaces(line);
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const negated = trimmed.startsWith("!");
  const body = negated ? trimmed.slice(1) : trimmed;
  const foldersOnly = body.endsWith("/");
  const pattern = foldersOnly ? body.slice(0, -1) : body;
  if (pattern === "") return undefined;
  const anchored = pattern.includes("/");
  try {
    const matches = compileGlob(anchored ? toGlob(pattern.replace(/^\//, "")) : `**/${toGlob(pattern)}`);
    return { pattern, negated, foldersOnly, anchored, matches };
  } catch (error) {
    if (EngineError.is(error, "environment.invalid_pattern")) return undefined;
    throw error;
  }
}

/** Spaces at the end count only when they are escaped. By hand: an expression would take quadratic time. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t") && line[end - 2] !== "\\") end -= 1;
  return line.slice(0, end);
}

/** A pattern of a `.gitignore`, where braces are nothing special, as a glob. */
export function toGlob(pattern: string): string {
  return pattern.replace(/\\?[{}]/g, (found) => (found.length === 2 ? found : `\\${found}`));
}
