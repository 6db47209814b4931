import type { SearchRequest } from "../../search/search-request.ts";
import { withLegacyBytes } from "./legacy-pattern.ts";

/**
 * Length, in bytes, above which ripgrep truncates a line. It is enough for the maximum number of characters that a
 * search returns per line.
 */
const MAX_LINE_BYTES = 4100;
const MAY_END_IN_DOT = /[*?.\]](?:[,}]|$)/;

/**
 * First arguments of every ripgrep call: no configuration file, no messages about single files, and only the
 * workspace's ignore rules. None of these arguments comes from a model.
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

/** Files to exclude when a folder is searched, in addition to the folder's own ignore files. */
export interface ScopeRules {
  /**
   * Path of a file with the ignore rules of parent folders that apply to the searched folder. `undefined` if there are
   * no such rules.
   */
  readonly rulesFile: string | undefined;
  /** True if folders called node_modules are skipped. */
  readonly skipsPackages: boolean;
}

/** Options for listing a folder's files with ripgrep. */
interface ListOptions {
  readonly includeIgnored: boolean;
  /** File name pattern that includes all wanted files. `undefined` if no such pattern is known. */
  readonly namePattern?: string | undefined;
  /** True to sort by modification time, newest first. This limits ripgrep to one thread. */
  readonly isSorted?: boolean | undefined;
}

/** Returns the arguments that list the files of a folder. */
export function renderListArguments(scope: ScopeRules, options: ListOptions): string[] {
  const rules = options.includeIgnored ? ["--no-ignore"] : renderScopeRules(scope);
  const order = options.isSorted === true ? ["--sortr=modified"] : [];
  return [...COMMON, ...rules, ...renderName(options.namePattern), ...order, "--files", "--", "./"];
}

/**
 * Arguments with which ripgrep flushes its output after each line, so that ripgrep can be stopped as soon as enough is
 * found.
 */
export const LINE_BY_LINE: readonly string[] = ["--line-buffered"];

/** Arguments that print the byte offset of each line. */
export const WITH_OFFSETS: readonly string[] = ["--byte-offset"];

/** Returns the arguments that search the files of a folder. */
export function renderSearchArguments(scope: ScopeRules, request: SearchRequest): string[] {
  const { filter } = request;
  const types = renderName(filter?.namePattern);
  return [...COMMON, ...renderScopeRules(scope), ...types, "--sort=path", ...renderMatching(request), "--", "./"];
}

/**
 * Returns arguments that restrict the names of files. The option `--type-add` is used, because `--glob` would override
 * ignore rules. Returns no arguments for patterns that `--type-add` cannot express: those that start with `include:`,
 * and names that end in a dot.
 */
function renderName(pattern: string | undefined): string[] {
  if (pattern === undefined || pattern.startsWith("include:") || MAY_END_IN_DOT.test(pattern)) return [];
  return [`--type-add=wanted:${pattern}`, "--type=wanted"];
}

/**
 * Returns the arguments with which ripgrep searches its standard input and prints matching lines. In `count` mode, the
 * caller counts these lines. Files are not passed by name: ripgrep would memory-map them, miss some binary content and
 * count each NUL as a line end.
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
  // The option `-e` is used, so that a pattern with a leading dash is not parsed as an option.
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
    // Rules in this file have a lower priority than ignore files that ripgrep finds, unlike exclusions by `--glob`.
    ...(rulesFile === undefined ? [] : [`--ignore-file=${rulesFile}`]),
  ];
}
