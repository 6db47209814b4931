import type { FinishReason } from "@switchyard/contracts";
import { FINISH_REASONS, type FinishReasonRow } from "./finish-reason-table.ts";

/** Finish reason as reported by the AI SDK. */
export interface ReportedReason {
  /** Finish reason that the AI SDK derived, used for provider values that are not in the table. */
  readonly unified: string;
  /** The provider's value. */
  readonly raw?: string | undefined;
}

/** Context of the response. */
export interface FinishContext {
  /** Family of the provider. */
  readonly family: string;
  /** True if the response contains tool calls for the caller. */
  readonly hasToolCalls: boolean;
}

const UNIFIED: ReadonlyMap<string, FinishReason["unified"]> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["content-filter", "content_filter"],
  ["tool-calls", "tool_calls"],
  ["error", "error"],
]);

function normalised(raw: string): string {
  return raw.trim().toLowerCase();
}

/**
 * Returns the table of finish reasons for a provider family. If a finish reason has several rows, the first row is
 * used. The family's own rows therefore come first.
 */
function tableOf(family: string): ReadonlyMap<string, FinishReasonRow> {
  const table = new Map<string, FinishReasonRow>();
  // Gateways pass on finish reasons of other providers, so the table includes the reasons of all provider families.
  // Reasons of the response's own family take precedence.
  const familyRows = FINISH_REASONS[family] ?? [];
  for (const row of [...familyRows, ...Object.values(FINISH_REASONS).flat()]) {
    const word = normalised(row.raw);
    if (!table.has(word)) table.set(word, row);
  }
  return table;
}

const tables = new Map<string, ReadonlyMap<string, FinishReasonRow>>();

/**
 * Finds the row of a provider's value, in its own family or any other. A gateway's prefix is ignored: Gemini's
 * compatible API writes `function_call_filter: MALFORMED_FUNCTION_CALL`.
 */
function findFinishReason(family: string, raw: string): FinishReasonRow | undefined {
  const table = tables.get(family) ?? tableOf(family);
  tables.set(family, table);
  return table.get(normalised(raw)) ?? table.get(normalised(raw.slice(raw.lastIndexOf(":") + 1)));
}

/**
 * Returns whether complete tool calls determine the finish reason. The provider's value can be ambiguous: Gemini uses
 * several values for responses with tool calls.
 */
function isDecidedByCalls(unified: FinishReason["unified"], row: FinishReasonRow | undefined): boolean {
  return unified === "stop" || (unified === "other" && row?.isPaused !== true) || row?.keepsCalls === true;
}

/** Returns the finish reason from the table; if the table does not list the provider's value, from the AI SDK. */
export function toFinishReason({ unified, raw }: ReportedReason, context: FinishContext): FinishReason {
  const row = raw === undefined ? undefined : findFinishReason(context.family, raw);
  // The response was a refusal or the prompt was blocked.
  // At the end of a normal response, the provider's value has another meaning.
  const meant = unified === "content-filter" ? "content_filter" : (row?.unified ?? UNIFIED.get(unified) ?? "other");
  const rawReason = raw === undefined ? {} : { raw };
  if (meant === "content_filter") return { unified: meant, ...rawReason };
  if (context.hasToolCalls && isDecidedByCalls(meant, row)) return { unified: "tool_calls", ...rawReason };
  return {
    unified: meant,
    ...rawReason,
    ...(row?.problem === undefined ? {} : { problem: row.problem }),
    ...(row?.isPaused === true ? { isPaused: true } : {}),
  };
}
