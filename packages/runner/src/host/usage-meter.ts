import { addUsage, NO_USAGE, type Usage } from "@switchyard/contracts";

/** Adds up the tokens and the cost of one run. */
export interface UsageMeter {
  /** Takes what the engine reports of one model call. engine: UsageReporter. */
  add(usage: Usage): void;
  /** Takes what an event says about one model call; an answer that was seen already is not counted again. D14. */
  addEvent(usage: Usage, responseId: string | undefined): void;
  /** The sum of what was reported; of what the events said where nothing was. */
  total(): Usage;
}

/** Makes a meter at zero. */
export function createUsageMeter(): UsageMeter {
  let reported: Usage | undefined;
  let seen: Usage = { ...NO_USAGE };
  const responses = new Set<string>();
  return {
    add: (usage) => {
      reported = addUsage(reported ?? NO_USAGE, toUsage(usage));
    },
    addEvent: (usage, responseId) => {
      if (responseId !== undefined) {
        if (responses.has(responseId)) return;
        responses.add(responseId);
      }
      seen = addUsage(seen, toUsage(usage));
    },
    total: () => reported ?? seen,
  };
}

/** Engines are not trusted with numbers: what is no finite, non-negative number counts as nothing. */
function toUsage(usage: Usage): Usage {
  const inputTokens = toCount(usage.inputTokens) ?? 0;
  const outputTokens = toCount(usage.outputTokens) ?? 0;
  return {
    inputTokens,
    outputTokens,
    totalTokens: toCount(usage.totalTokens) ?? inputTokens + outputTokens,
    ...defined({
      reasoningTokens: toCount(usage.reasoningTokens),
      cacheReadTokens: toCount(usage.cacheReadTokens),
      cacheWriteTokens: toCount(usage.cacheWriteTokens),
      costMicros: toAmount(usage.costMicros),
      latencyMs: toAmount(usage.latencyMs),
    }),
    ...(typeof usage.model === "string" ? { model: usage.model } : {}),
  };
}

function toAmount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function toCount(value: unknown): number | undefined {
  const amount = toAmount(value);
  return amount === undefined ? undefined : Math.round(amount);
}

function defined(fields: Readonly<Record<string, number | undefined>>): Partial<Usage> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
