import { NO_USAGE, type Usage } from "@switchyard/contracts";
import type { ModelAccess } from "./model-access.ts";

/**
 * Part of the measured tokens by which the reported tokens may exceed them. Engines and providers count retried and
 * incomplete responses differently.
 */
const TOLERANCE = 0.1;

/** Usage that an engine reported, but that the host of its model access did not measure. */
export interface UnmeasuredUsage {
  /** The reported usage minus the measured usage. */
  readonly usage: Usage;
  /** Warning for users. */
  readonly message: string;
}

function amountOf({ totalTokens, costMicros }: Usage): string {
  return totalTokens > 0 || costMicros === undefined
    ? `${totalTokens} tokens`
    : `${costMicros} millionths of a US dollar`;
}

/** Returns `left` minus `right`. Differences below 0 become 0. */
function subtract(left: Usage, right: Usage): Usage {
  const minus = (field: "inputTokens" | "outputTokens" | "totalTokens"): number =>
    Math.max(0, left[field] - right[field]);
  const difference: Usage = {
    ...{ inputTokens: minus("inputTokens"), outputTokens: minus("outputTokens"), totalTokens: minus("totalTokens") },
    ...(left.model === undefined ? {} : { model: left.model }),
  };
  if (left.costMicros === undefined) return difference;
  return { ...difference, costMicros: Math.max(0, left.costMicros - (right.costMicros ?? 0)) };
}

/**
 * Compares the usage that an engine reports with the usage that the host measured. An engine that reports more has
 * called models at another address. The host must then count the difference, so that it is part of the run's usage and
 * budget. `before` is the measured usage at the time from which the engine counts; default: none. Returns `undefined`
 * if the host does not measure the usage, or if the difference is at most a tenth of the measured tokens.
 */
export function findUnmeasuredUsage(
  access: ModelAccess | undefined,
  reported: Usage,
  before: Usage = NO_USAGE,
): UnmeasuredUsage | undefined {
  const total = access?.measuresUsage === true ? access.measuredUsage?.() : undefined;
  if (total === undefined) return undefined;
  const measured = subtract(total, before);
  const isCostOnly = measured.totalTokens === 0 && (reported.costMicros ?? 0) > (measured.costMicros ?? 0);
  const difference = reported.totalTokens - measured.totalTokens;
  if (difference <= measured.totalTokens * TOLERANCE && !isCostOnly) return undefined;
  const message =
    `The engine reported ${amountOf(reported)}, but the model gateway measured ${measured.totalTokens} tokens. The ` +
    "engine probably called models at another address. The difference counts as the engine reported it.";
  return { usage: subtract(reported, measured), message };
}
