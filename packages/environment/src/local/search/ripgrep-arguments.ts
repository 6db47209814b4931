import type { SearchRequest } from "../../search/search-request.ts";
import { withLegacyBytes } from "./legacy-pattern.ts";

/**
 * Line length, in bytes, from which ripgrep truncates a line. It is enough for the characters of a line that a search
 * returns.
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

/** Exclusions for a searched folder, in addition to its own ignore files. */
export interface ScopeRules {
  /**
   * Path of a file with the ignore rules of parent folders that apply to the searched folder. `undefined` if there are
   * no such rules.
   */
  readonly rulesFile: string | undefined;
  /** True if folders called node_modules are skipped. */
  readonly skipsPackages: boolean;
}

/** Options that select and sort listed files. */
interface ListOptions {
  readonly includeIgnored: boolean;
  /** Pattern that every wanted file name matches. `undefined` if there is none. */
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

/** Arguments that flush each line, so that ripgrep can be stopped as soon as enough is found. */
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
 * Restricts file names with ripgrep's option `--type-add`, because `--glob` would override ignore rules. Patterns that
 * a type definition cannot express are omitted: those that start with the keyword of definitions, and names that end in
 * a dot.
 */
function renderName(pattern: string | undefined): string[] {
  if (pattern === undefined || pattern.startsWith("include:") || MAY_END_IN_DOT.test(pattern)) return [];
  return [`--type-add=wanted:${pattern}`, "--type=wanted"];
}

/**
 * Returns the arguments with which ripgrep searches its standard input and prints matching lines. Counts are computed
 * from these lines too. Files are not passed by name, because ripgrep would memory-map them, miss some binary content
 * and count each NUL as a line end.
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
  // The pattern follows `-e`, so that a pattern that starts with a dash is not parsed as an option.
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
    // These rules have a lower priority than the ignore files that ripgrep finds. Exclusions in a separate argument
    // would override those.
    ...(rulesFile === undefined ? [] : [`--ignore-file=${rulesFile}`]),
  ];
}
