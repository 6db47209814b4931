import type { SearchRequest } from "../../search/search-request.ts";
import type { SearchScope } from "./search-scope.ts";

/** More rules are left to the check of what was found. */
const MAX_RULES = 200;
/** Longer lines are cut by ripgrep; in bytes, and more than the characters that are handed out. */
const MAX_LINE_BYTES = 4100;

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

/** What is left out of a folder that is searched, beside what is in it itself. */
export type ScopeRules = Pick<SearchScope, "layers" | "skipsPackages">;

/** Arguments that list the files of a folder. */
export function renderListArguments(scope: ScopeRules, options: { includeIgnored: boolean }): string[] {
  const rules = options.includeIgnored ? ["--no-ignore"] : renderScopeRules(scope);
  return [...COMMON, ...rules, "--files", "--", "./"];
}

/** Arguments that search the files of a folder. */
export function renderSearchArguments(scope: ScopeRules, request: SearchRequest): string[] {
  const { filter } = request;
  // A type, as `--glob` would bring ignored files back. Its definition knows one word with a meaning of its own.
  const name = filter?.namePattern?.startsWith("include:") === true ? undefined : filter?.namePattern;
  const types = name === undefined ? [] : [`--type-add=wanted:${name}`, "--type=wanted"];
  return [...COMMON, ...renderScopeRules(scope), ...types, "--sort=path", ...renderMatching(request), "--", "./"];
}

/** Arguments that search standard input. */
export function renderInputArguments(request: SearchRequest): string[] {
  return [...COMMON, ...renderMatching(request), "--", "-"];
}

function renderMatching({ pattern, mode, caseInsensitive, contextLines }: SearchRequest): string[] {
  // The pattern behind -e: one that begins with a dash is no option.
  const matching = [caseInsensitive ? "--ignore-case" : "--case-sensitive", "--crlf", "-e", pattern];
  if (mode === "count") return ["--count", "--with-filename", ...matching];
  const lines = ["--line-number", "--with-filename", "--no-heading", "--no-context-separator"];
  const bounds = [`--max-columns=${MAX_LINE_BYTES}`, "--max-columns-preview"];
  const amount = mode === "files" ? ["--max-count=1"] : contextLines > 0 ? [`--context=${contextLines}`] : [];
  return [...lines, ...bounds, ...amount, ...matching];
}

/** Rules from above the searched folder that hold wherever they are, so that ripgrep does not enter what they name. */
function renderScopeRules({ layers, skipsPackages }: ScopeRules): string[] {
  const rules = layers.flatMap((layer) => layer.rules);
  const placeless = rules.some((rule) => rule.negated)
    ? []
    : rules.filter((rule) => !rule.anchored).slice(0, MAX_RULES);
  return [
    ...(skipsPackages ? ["--glob=!node_modules"] : []),
    ...placeless.map((rule) => `--glob=!**/${rule.pattern.replace(/[{}]/g, "\\$&")}${rule.foldersOnly ? "/" : ""}`),
  ];
}
