import type { Usage } from "@switchyard/contracts";

/** Formats the tokens of a run, with the cached ones. Empty before the first usage report. */
export function formatTokens({ inputTokens, outputTokens, totalTokens, cacheReadTokens = 0 }: Readonly<Usage>): string {
  if (totalTokens === 0) return "";
  const cached = cacheReadTokens === 0 ? "" : ` (${cacheReadTokens.toLocaleString("en-US")} cached)`;
  const noun = inputTokens === 1 ? "token" : "tokens";
  return `${inputTokens.toLocaleString("en-US")} ${noun} in${cached}, ${outputTokens.toLocaleString("en-US")} out`;
}
