import { addUsage, NO_USAGE, type Usage } from "@switchyard/contracts";

/** Token usage that an agent reports. Fields that the agent does not report are `undefined`. */
export interface MeasuredTokens {
  /** Number of input tokens, including cached ones. */
  readonly inputTokens?: number | undefined;
  /** Number of output tokens. */
  readonly outputTokens?: number | undefined;
  /** Number of input tokens read from the provider's cache. */
  readonly cacheReadTokens?: number | undefined;
  /** Number of input tokens written to the provider's cache. */
  readonly cacheWriteTokens?: number | undefined;
  /** Cost in millionths of a US dollar. */
  readonly costMicros?: number | undefined;
}

/**
 * Counts the tokens of one session. Each request is counted only once, and totals never decrease. See agent-adapter:
 * UsageAccumulator.
 */
export interface UsageAccumulator {
  /** Starts a turn. Usage that was counted before stays included. */
  beginTurn(): void;
  /**
   * Adds the token usage of the request with the given id. If a request is reported several times, the largest numbers
   * count.
   */
  request(id: string, tokens: MeasuredTokens): void;
  /** Sets the total of this turn, which replaces the sum of the turn's requests. */
  turnTotal(tokens: MeasuredTokens): void;
  /**
   * Reports the total usage of the whole conversation so far (`tokens`), and the usage of its last request (`last`). The
   * difference to the previous total is counted. Of the first total of a session, only `last` is counted, because the
   * rest belongs to earlier sessions of the conversation.
   */
  conversationTotal(tokens: MeasuredTokens, last: MeasuredTokens): void;
  /** Returns the usage since the session started. */
  total(): Usage;
  /** Whether anything was measured. */
  readonly isMeasured: boolean;
}

const FIELDS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "costMicros"] as const;
type Counts = Partial<Record<(typeof FIELDS)[number], number>>;

function countOf(value: number | undefined): number | undefined {
  return value === undefined || !Number.isFinite(value) ? undefined : Math.max(0, Math.round(value));
}

function merge(left: Counts, right: MeasuredTokens, combine: (left: number, right: number) => number): Counts {
  const merged: Counts = {};
  for (const field of FIELDS) {
    const [before, after] = [left[field], countOf(right[field])];
    const value = before === undefined ? after : after === undefined ? before : combine(before, after);
    if (value !== undefined) merged[field] = Math.max(0, value);
  }
  return merged;
}

function toUsage(counts: Counts): Usage {
  const { inputTokens = 0, outputTokens = 0, ...rest } = counts;
  return { ...rest, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

const larger = (left: number, right: number): number => Math.max(left, right);

/**
 * Creates an accumulator for one session. Negative numbers count as zero. `totalTokens` is always computed from input
 * and output tokens.
 */
export function createUsageAccumulator(): UsageAccumulator {
  let done: Usage = { ...NO_USAGE };
  let requests = new Map<string, Counts>();
  let stated: Counts = {};
  let baseline: Counts | undefined;
  let shown: Usage = { ...NO_USAGE };
  let isMeasured = false;

  function turn(): Counts {
    let sum: Counts = {};
    for (const counts of requests.values()) sum = merge(sum, counts, (left, right) => left + right);
    // A reported total may include usage that no request reported. It never lowers usage that was already counted.
    return merge(sum, stated, larger);
  }
  function total(): Usage {
    const now = addUsage(done, toUsage(turn()));
    const grown = { ...now, inputTokens: larger(now.inputTokens, shown.inputTokens) };
    grown.outputTokens = larger(now.outputTokens, shown.outputTokens);
    shown = { ...grown, totalTokens: grown.inputTokens + grown.outputTokens };
    return shown;
  }
  return {
    beginTurn() {
      done = total();
      requests = new Map();
      stated = {};
      baseline = undefined;
    },
    request(id, tokens) {
      isMeasured = true;
      requests.set(id, merge(requests.get(id) ?? {}, tokens, larger));
    },
    turnTotal(tokens) {
      isMeasured = true;
      stated = merge(stated, tokens, larger);
    },
    conversationTotal(tokens, last) {
      isMeasured = true;
      baseline ??= merge(merge({}, tokens, larger), last, (all, one) => all - one);
      stated = merge(
        stated,
        merge(merge({}, tokens, larger), baseline, (all, before) => all - before),
        larger,
      );
    },
    total,
    get isMeasured() {
      return isMeasured;
    },
  };
}
