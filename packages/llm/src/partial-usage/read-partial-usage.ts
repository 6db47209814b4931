import type { Usage } from "@switchyard/contracts";
import { isRecord, jsonValue } from "../failure/error-info.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Names of the token counts in the wire formats. If a format reports several counts of one kind, they are added. */
const INPUT: readonly (readonly string[])[] = [
  ["prompt_tokens", "promptTokenCount"],
  ["input_tokens"],
  ["cache_read_input_tokens"],
  ["cache_creation_input_tokens"],
];
const OUTPUT: readonly (readonly string[])[] = [
  ["completion_tokens", "candidatesTokenCount"],
  ["output_tokens"],
  ["thoughtsTokenCount"],
];

/** Names of counts that are part of the input or output count. The name of a nested count is its path. */
const CACHE_READ: readonly string[] = [
  "prompt_tokens_details.cached_tokens",
  "input_tokens_details.cached_tokens",
  "cache_read_input_tokens",
  "cachedContentTokenCount",
];
const CACHE_WRITE: readonly string[] = [
  "prompt_tokens_details.cache_write_tokens",
  "input_tokens_details.cache_write_tokens",
  "cache_creation_input_tokens",
];
const REASONING: readonly string[] = [
  "completion_tokens_details.reasoning_tokens",
  "output_tokens_details.reasoning_tokens",
  "thoughtsTokenCount",
];

function recordAt(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  return isRecord(value) ? value : undefined;
}

/** Returns the usage of an event: at its top level, or in its message or response. */
function usageIn(event: Fields): { usage: Fields; id: unknown } | undefined {
  for (const holder of [event, recordAt(event, "message"), recordAt(event, "response")]) {
    const usage = holder && (recordAt(holder, "usage") ?? recordAt(holder, "usageMetadata"));
    if (holder !== undefined && usage !== undefined) return { usage, id: holder["id"] ?? holder["responseId"] };
  }
  return undefined;
}

function countOf(counts: ReadonlyMap<string, number>, kinds: readonly (readonly string[])[]): number {
  return kinds.reduce((sum, names) => sum + (names.map((name) => counts.get(name)).find((count) => count) ?? 0), 0);
}

/**
 * Copies the counts of a usage object into `counts`. The key of a count in a nested object consists of both names, such
 * as `input_tokens_details.cached_tokens`.
 */
function addCounts(counts: Map<string, number>, usage: Fields, prefix = ""): void {
  for (const [name, count] of Object.entries(usage)) {
    if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) counts.set(prefix + name, count);
    else if (prefix === "" && isRecord(count)) addCounts(counts, count, `${name}.`);
  }
}

function partOf(counts: ReadonlyMap<string, number>, names: readonly string[]): number | undefined {
  return names.map((name) => counts.get(name)).find((count) => count !== undefined);
}

/**
 * Returns the tokens that a response reported before it failed, from its stream lines or its complete body, as text or
 * parsed. `undefined` if the response reported none. Later counts replace earlier ones.
 */
export function readPartialUsage(reports: readonly unknown[], model: string): Usage | undefined {
  const counts = new Map<string, number>();
  let responseId: string | undefined;
  for (const report of reports) {
    const event = typeof report === "string" ? jsonValue(report.replace(/^data:\s*/, "")) : report;
    const found = isRecord(event) ? usageIn(event) : undefined;
    if (found === undefined) continue;
    if (typeof found.id === "string" && found.id !== "") responseId ??= found.id;
    addCounts(counts, found.usage);
  }
  const [inputTokens, outputTokens] = [countOf(counts, INPUT), countOf(counts, OUTPUT)];
  const totalTokens = inputTokens + outputTokens;
  if (totalTokens === 0) return undefined;
  const usage: Usage = { inputTokens, outputTokens, totalTokens, model };
  const cacheReadTokens = partOf(counts, CACHE_READ);
  const cacheWriteTokens = partOf(counts, CACHE_WRITE);
  const reasoningTokens = partOf(counts, REASONING);
  if (cacheReadTokens !== undefined) usage.cacheReadTokens = cacheReadTokens;
  if (cacheWriteTokens !== undefined) usage.cacheWriteTokens = cacheWriteTokens;
  if (reasoningTokens !== undefined) usage.reasoningTokens = reasoningTokens;
  if (responseId !== undefined) usage.responseId = responseId;
  return usage;
}
