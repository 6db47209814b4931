import type { Usage } from "@switchyard/contracts";

/** Formats the token usage of a run, including cached tokens. Empty before usage is reported. */
export function formatTokens({ inputTokens, outputTokens, totalTokens, cacheReadTokens = 0 }: Readonly<Usage>): string {
  if (totalTokens === 0) return "";
  const cached = cacheReadTokens === 0 ? "" : ` (${cacheReadTokens.toLocaleString("en-US")} cached)`;
  const noun = inputTokens === 1 ? "token" : "tokens";
  return `${inputTokens.toLocaleString("en-US")} ${noun} in${cached}, ${outputTokens.toLocaleString("en-US")} out`;
}
