import type { SessionResult, Usage } from "@switchyard/contracts";
import { findUnmeasuredUsage, type ModelAccess } from "@switchyard/engine";
import type { CallOutcome } from "../result/to-call-outcome.ts";

/** Millionths of a US dollar in one dollar. */
const MICROS = 1_000_000;

/** Usage of one call of a custom engine, as the engine reports it to its host. */
export interface ReportedUsage {
  /** Tokens and cost. `undefined` if there is nothing to report. */
  readonly usage?: Usage | undefined;
  /** Warning that the engine used more than the host measured. */
  readonly warning?: string | undefined;
}

function usageOf(result: SessionResult): Usage {
  const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0, cost_usd: cost, model } = result;
  return {
    ...{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    ...(cost === undefined ? {} : { costMicros: Math.round(cost * MICROS) }),
    ...(model === undefined ? {} : { model }),
  };
}

/**
 * Separates the usage that a call reports from its outcome. If the host measures the usage itself, it is removed from
 * the result, and only the part that the host did not measure is reported. `before` is the usage that the host had
 * measured before the call.
 */
export function settleUsage(
  outcome: CallOutcome,
  access: ModelAccess | undefined,
  before: Usage | undefined,
): { readonly settled: CallOutcome; readonly reported: ReportedUsage } {
  const usage = usageOf(outcome.result);
  if (access?.measuresUsage !== true) {
    const isUsed = usage.totalTokens > 0 || usage.costMicros !== undefined;
    return { settled: outcome, reported: isUsed ? { usage } : {} };
  }
  const { input_tokens: _, output_tokens: __, cost_usd: ___, ...result } = outcome.result;
  const { usage: unmeasured, message: warning } = findUnmeasuredUsage(access, usage, before) ?? {};
  return { settled: { ...outcome, result }, reported: { usage: unmeasured, warning } };
}
