import type { SearchRequest } from "../../search/search-request.ts";
import { withLegacyBytes } from "./legacy-pattern.ts";

/** Longer lines are cut by ripgrep; in bytes, and more than the characters that are handed out. */
const MAX_LINE_BYTES = 4100;
const MAY_END_IN_DOT = /[*?.\]](?:[,}]|$)/;

/**
 * What every call of ripgrep begins with: no configuration file, no message about single files, and of all rules only
 * those of the workspace. No argument here comes from a model.
 */
const COMMON = [
  "--no-config",
  "--no-messages",
  "--color=never",
  "--null",
  "--hidden",
  "--no-follow",
  "--no-require-git",
  "--no-ignore-dot",
  "--no-ignore-exclude",
  "--no-ignore-global",
  "--no-ignore-parent",
  "--glob=!.git",
] as const;

/** What is left out of a folder that is searched, beside what its own files of rules say. */
export interface ScopeRules {
  /** A file with the rules of the folders above, as if it were in this one; undefined where there are none. */
  readonly rulesFile: string | undefined;
  /** Whether folders called node_modules are left out. */
  readonly skipsPackages: boolean;
}

/** Which files of a folder are listed, and how. */
interface ListOptions {
  readonly includeIgnored: boolean;
  /** A pattern that every wanted file name fits, where there is one. */
  readonly namePattern?: string | undefined;
  /** The last changed first; one thread then does all of it. */
  readonly isSorted?: boolean | undefined;
}

/** Arguments that list the files of a folder. */
export function renderListArguments(scope: ScopeRules, options: ListOptions): string[] {
  const rules = options.includeIgnored ? ["--no-ignore"] : renderScopeRules(scope);
  const order = options.isSorted === true ? ["--sortr=modified"] : [];
  return [...COMMON, ...rules, ...renderName(options.namePattern), ...order, "--files", "--", "./"];
}

/** Arguments that have each line written at once: ripgrep stops where enough is found, not where its buffer is full. */
export const LINE_BY_LINE: readonly string[] = ["--line-buffered"];

/** Arguments that have each line told with its place in the file, in bytes. */
export const WITH_OFFSETS: readonly string[] = ["--byte-offset"];

/** Arguments that search the files of a folder. */
export function renderSearchArguments(scope: ScopeRules, request: SearchRequest): string[] {
  const { filter } = request;
  const types = renderName(filter?.namePattern);
  return [...COMMON, ...renderScopeRules(scope), ...types, "--sort=path", ...renderMatching(request), "--", "./"];
}

/**
 * A type, as `--glob` would bring ignored files back. Its definition knows one word with a meaning of its own, and no
 * type fits a name that ends in a dot.
 */
function renderName(pattern: string | undefined): string[] {
  if (pattern === undefined || pattern.startsWith("include:") || MAY_END_IN_DOT.test(pattern)) return [];
  return [`--type-add=wanted:${pattern}`, "--type=wanted"];
}

/**
 * Arguments that tell the lines of standard input, also to who counts them: ripgrep's own count takes each NUL of a
 * file that was named for the end of a line. Not by its name: ripgrep maps files, and then does not see all that is
 * binary.
 */
export function renderInputArguments(request: SearchRequest): string[] {
  return [
    ...COMMON,
    ...renderMatching({ ...request, mode: request.mode === "files" ? "files" : "content" }),
    "--",
    "-",
  ];
}

function renderMatching({ pattern, mode, caseInsensitive, contextLines }: SearchRequest): string[] {
  const written = withLegacyBytes(pattern, caseInsensitive);
  // The pattern behind -e: one that begins with a dash is no option.
  const matching = [caseInsensitive ? "--ignore-case" : "--case-sensitive", "--crlf", "-e", written];
  if (mode === "count") return ["--count", "--with-filename", ...matching];
  const lines = ["--line-number", "--with-filename", "--no-heading", "--no-context-separator"];
  const bounds = [`--max-columns=${MAX_LINE_BYTES}`, "--max-columns-preview"];
  const amount = mode === "files" ? ["--max-count=1"] : contextLines > 0 ? [`--context=${contextLines}`] : [];
  return [...lines, ...bounds, ...amount, ...matching];
}

function renderScopeRules({ rulesFile, skipsPackages }: ScopeRules): string[] {
  return [
    ...(skipsPackages ? ["--glob=!node_modules"] : []),
    // Weaker than the files of rules that ripgrep comes by, which an argument of its own would override.
    ...(rulesFile === undefined ? [] : [`--ignore-file=${rulesFile}`]),
  ];
}
