import type { GrepOptions, GrepResult } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { FileFilter } from "./file-filter.ts";
import { parseFileFilter } from "./file-filter.ts";

/** Default maximum number of matches. See loop: §3.3 grep. */
export const DEFAULT_MAX_MATCHES = 100;
const MAX_CONTEXT_LINES = 100;

/** Parameters of a search. */
export interface SearchRequest {
  readonly pattern: string;
  readonly filter: FileFilter | undefined;
  readonly mode: NonNullable<GrepOptions["mode"]>;
  readonly caseInsensitive: boolean;
  readonly contextLines: number;
}

/** Validates the arguments of `grep`. Throws `environment.invalid_pattern`. */
export function toSearchRequest(pattern: string, options: GrepOptions): SearchRequest {
  if (/[\0\n]/.test(pattern)) {
    const problem = "it contains a line break or a NUL character; each line is searched separately";
    throw new EngineError("environment.invalid_pattern", { pattern: pattern.slice(0, 200), problem });
  }
  const { mode = "content", contextLines = 0 } = options;
  return {
    pattern,
    filter: options.glob === undefined ? undefined : parseFileFilter(options.glob),
    mode,
    caseInsensitive: options.caseInsensitive ?? false,
    contextLines: mode === "content" ? Math.min(MAX_CONTEXT_LINES, Math.max(0, Math.floor(contextLines))) : 0,
  };
}

/** Converts search results to the requested mode. In modes that report whole files, results have no line number. */
export function inMode(mode: SearchRequest["mode"], { matches, truncated }: GrepResult): GrepResult {
  if (mode !== "files") return { matches, truncated };
  return { matches: matches.map(({ path }) => ({ path, line: 0, text: "", isContext: false })), truncated };
}
