import type { FinishReason } from "@switchyard/contracts";
import { FINISH_REASONS, type FinishReasonRow } from "./finish-reason-table.ts";

/** The reason to stop, as the AI SDK reports it. */
export interface ReportedReason {
  /** The AI SDK's word: used for reasons that the table does not list. */
  readonly unified: string;
  /** The provider's own word. */
  readonly raw?: string | undefined;
}

/** What is known about the response besides. */
export interface FinishContext {
  /** Family of the provider. */
  readonly family: string;
  /** Whether the response has tool calls of its own. */
  readonly hasToolCalls: boolean;
}

const UNIFIED: ReadonlyMap<string, FinishReason["unified"]> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["content-filter", "content_filter"],
  ["tool-calls", "tool_calls"],
  ["error", "error"],
]);

function wordOf(raw: string): string {
  return raw.trim().toLowerCase();
}

/** The first row of a word counts: those of the family itself come first. */
function tableOf(family: string): ReadonlyMap<string, FinishReasonRow> {
  const table = new Map<string, FinishReasonRow>();
  // Gateways pass on the words of the provider behind them.
  const own = FINISH_REASONS[family] ?? [];
  for (const row of [...own, ...Object.values(FINISH_REASONS).flat()]) {
    const word = wordOf(row.raw);
    if (!table.has(word)) table.set(word, row);
  }
  return table;
}

const tables = new Map<string, ReadonlyMap<string, FinishReasonRow>>();

/**
 * The row of a provider's word, in its own family or any other. A gateway's prefix is passed over: Gemini's compatible
 * API writes `function_call_filter: MALFORMED_FUNCTION_CALL`.
 */
function findFinishReason(family: string, raw: string): FinishReasonRow | undefined {
  const table = tables.get(family) ?? tableOf(family);
  tables.set(family, table);
  return table.get(wordOf(raw)) ?? table.get(wordOf(raw.slice(raw.lastIndexOf(":") + 1)));
}

/** Calls that are complete decide where the reason says nothing about them: Gemini ends a turn with calls in several ways. */
function isDecidedByCalls(unified: FinishReason["unified"], row: FinishReasonRow | undefined): boolean {
  return unified === "stop" || (unified === "other" && row?.isPaused !== true) || row?.keepsCalls === true;
}

/** Why the model stopped, by the table; by the AI SDK's word where the table does not list the provider's. */
export function toFinishReason({ unified, raw }: ReportedReason, context: FinishContext): FinishReason {
  const row = raw === undefined ? undefined : findFinishReason(context.family, raw);
  // A refusal, or a prompt that was blocked for a reason whose word means something else at the end of a response.
  const meant = unified === "content-filter" ? "content_filter" : (row?.unified ?? UNIFIED.get(unified) ?? "other");
  const said = raw === undefined ? {} : { raw };
  if (meant === "content_filter") return { unified: meant, ...said };
  if (context.hasToolCalls && isDecidedByCalls(meant, row)) return { unified: "tool_calls", ...said };
  return {
    unified: meant,
    ...said,
    ...(row?.problem === undefined ? {} : { problem: row.problem }),
    ...(row?.isPaused === true ? { isPaused: true } : {}),
  };
}
