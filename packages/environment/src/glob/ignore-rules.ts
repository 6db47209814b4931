import { EngineError } from "@switchyard/contracts";
import type { GlobMatcher } from "./compile-glob.ts";
import { compileGlob } from "./compile-glob.ts";

/** Maximum number of lines read from one ignore file. */
const MAX_RULES = 5000;

/** A rule from one line of a `.gitignore` file. */
export interface IgnoreRule {
  /** Pattern without `!` and without a trailing slash. */
  readonly pattern: string;
  /** True if the rule negates earlier rules (`!` at the start of the line). */
  readonly negated: boolean;
  /** True if the rule applies to folders only (`/` at the end of the line). */
  readonly foldersOnly: boolean;
  /**
   * True if the pattern is matched against the whole path below the ignore file's folder. False if it matches at any
   * depth.
   */
  readonly anchored: boolean;
  /** Returns whether the rule matches a path relative to the ignore file's folder. */
  readonly matches: GlobMatcher;
}

/** Ignore rules of one folder. */
export interface IgnoreRules {
  /** Path of the folder relative to the root, with `/`. Empty for the root. */
  readonly folder: string;
  /** Rules in the order of the file's lines. The last matching rule decides. */
  readonly rules: readonly IgnoreRule[];
}

/** Parses the text of a `.gitignore`. Invalid patterns are skipped, as in git. */
export function parseIgnoreRules(text: string, folder: string): IgnoreRules {
  const rules: IgnoreRule[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split("\n", MAX_RULES)) {
    const rule = parseRule(line.replace(/\r$/, ""));
    if (rule !== undefined) rules.push(rule);
  }
  return { folder, rules };
}

/**
 * Returns whether a path relative to the root is ignored. The rules are ordered from the root downwards. Parent folders
 * are not checked.
 */
export function isIgnored(layers: readonly IgnoreRules[], path: string, isFolder: boolean): boolean {
  for (const { folder, rules } of layers.toReversed()) {
    if (folder !== "" && !path.startsWith(`${folder}/`)) continue;
    const below = folder === "" ? path : path.slice(folder.length + 1);
    const decisive = rules.findLast((rule) => (isFolder || !rule.foldersOnly) && rule.matches(below));
    if (decisive !== undefined) return !decisive.negated;
  }
  return false;
}

/** Returns whether a path or one of its parent folders is ignored. */
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

/** Removes trailing spaces that are not escaped. Uses no regular expression, because that would take quadratic time. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t") && line[end - 2] !== "\\") end -= 1;
  return line.slice(0, end);
}

/** Converts a `.gitignore` pattern to a glob. Braces are escaped, because they are literals in `.gitignore`. */
export function toGlob(pattern: string): string {
  return pattern.replace(/\\?[{}]/g, (found) => (found.length === 2 ? found : `\\${found}`));
}
