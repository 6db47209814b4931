import type { HostileFault, PlannedResponse, SurvivalPolicy } from "./hostile-fault.ts";

/**
 * Tolerance for a wait time given as an HTTP date, in milliseconds. A date has whole seconds, and the clocks of client
 * and server may differ by another second.
 */
const DATE_SLACK_MS = 2_000;

const DEFAULTS = {
  ...{ retries: Number.POSITIVE_INFINITY, baseDelayMs: 1_000, maxDelayMs: 60_000, maxTotalDelayMs: 600_000 },
  ...{ responseRetries: 2, continuations: 3 },
} as const;

type FullPolicy = { readonly [K in keyof SurvivalPolicy]-?: NonNullable<SurvivalPolicy[K]> };

/** Returns a survival policy (a client's retry limits) with the defaults filled in. */
export function fullPolicy(policy: SurvivalPolicy): FullPolicy {
  return {
    retries: policy.retries ?? DEFAULTS.retries,
    baseDelayMs: policy.baseDelayMs ?? DEFAULTS.baseDelayMs,
    maxDelayMs: policy.maxDelayMs ?? DEFAULTS.maxDelayMs,
    maxTotalDelayMs: policy.maxTotalDelayMs ?? DEFAULTS.maxTotalDelayMs,
    responseRetries: policy.responseRetries ?? DEFAULTS.responseRetries,
    continuations: policy.continuations ?? DEFAULTS.continuations,
  };
}

/**
 * Returns a client's reaction to a fault: wait and retry, ask the model to repair or continue its response, or fail.
 */
function reactionTo(fault: HostileFault): "wait" | "repair" | "continue" | "fail" {
  switch (fault.kind) {
    case "status":
      return fault.status >= 500 || fault.status === 408 || fault.status === 429 ? "wait" : "fail";
    case "empty":
    case "calls_absent":
    case "failed":
      return "repair";
    case "cut_off":
      return "continue";
    case "filtered":
      return "fail";
    default:
      return "wait";
  }
}

function requestedMs(fault: HostileFault): number | undefined {
  if (fault.kind !== "status" || fault.retryAfter === undefined) return undefined;
  const { seconds, form } = fault.retryAfter;
  return seconds * 1_000 + (form === "date" ? DATE_SLACK_MS : 0);
}

/**
 * Adds up the delays of consecutive retries in one turn. After a response that the client repairs or continues instead
 * of retrying, the sum starts again with a new object.
 */
class Waits {
  readonly #policy: FullPolicy;
  #failures = 0;
  #waitedMs = 0;

  constructor(policy: FullPolicy) {
    this.#policy = policy;
  }

  /**
   * Adds the delay of the retry after a fault. If the client's policy allows no further retry, returns the reason.
   * Otherwise returns `undefined`.
   */
  add(fault: HostileFault): string | undefined {
    const { retries, baseDelayMs, maxDelayMs, maxTotalDelayMs } = this.#policy;
    this.#failures += 1;
    const remainingMs = maxTotalDelayMs - this.#waitedMs;
    const requestedDelay = requestedMs(fault) ?? 0;
    if (this.#failures > retries) return "more failures than retries";
    if (remainingMs <= 0) return "the total wait is used up";
    if (requestedDelay > remainingMs) return "the server asks for a longer wait than is left";
    const backoff = Math.min(maxDelayMs, baseDelayMs * 2 ** (this.#failures - 1));
    this.#waitedMs += Math.min(
      remainingMs,
      requestedDelay === 0 ? backoff : Math.max(requestedDelay, Math.min(baseDelayMs, backoff)),
    );
    return undefined;
  }
}

function judgeTurn(responses: readonly PlannedResponse[], policy: FullPolicy): string | undefined {
  let waits = new Waits(policy);
  let row = { reaction: "", count: 0 };
  for (const { fault } of responses) {
    if (fault === undefined) return undefined;
    const reaction = reactionTo(fault);
    if (reaction === "fail") return `${fault.kind} is final`;
    if (reaction === "wait") {
      const problem = waits.add(fault);
      if (problem !== undefined) return problem;
      continue;
    }
    waits = new Waits(policy);
    row = { reaction, count: row.reaction === reaction ? row.count + 1 : 1 };
    const most = reaction === "repair" ? policy.responseRetries : policy.continuations;
    if (row.count > most) return `too many responses in a row to ${reaction}`;
  }
  return "no response of the turn is complete";
}

/**
 * Returns why a client with this retry policy cannot complete every turn. `undefined` if it can complete all turns.
 * Jitter of delays is ignored.
 */
export function judgeTurns(
  turns: readonly (readonly PlannedResponse[])[],
  policy: SurvivalPolicy = {},
): string | undefined {
  const full = fullPolicy(policy);
  for (const [index, responses] of turns.entries()) {
    const reason = judgeTurn(responses, full);
    if (reason !== undefined) return `turn ${index + 1}: ${reason}`;
  }
  return undefined;
}
