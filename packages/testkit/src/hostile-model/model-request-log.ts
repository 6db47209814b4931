import type { HostileFault, Oddity } from "./hostile-fault.ts";
import type { ModelApi } from "./model-api.ts";
import type { TokenCount } from "./response-content.ts";

/** One request that the server received, and what became of its response. */
export interface HostileModelRequest {
  /** 1-based number in the order of arrival. */
  readonly number: number;
  /** API that it was made to. */
  readonly api: ModelApi;
  /** Whether it asks for a stream. */
  readonly isStreamed: boolean;
  /** JSON value of its body. */
  readonly body: unknown;
  /** Why the real API would refuse it, or where it repeats a part of a response that was never completed. */
  readonly problems: readonly string[];
  /** 1-based number of the turn that it asks for. */
  readonly turn: number;
  /** 1-based number among the requests for that turn. */
  readonly attempt: number;
  /** What the plan had the server do wrong; `undefined` for nothing. */
  readonly fault: HostileFault | undefined;
  /** In what valid ways the response was odd. */
  readonly oddities: readonly Oddity[];
  /**
   * `complete`: the response was sent to its end. `broken`: a fault stopped it. `refused`: a status. `left`: the client
   * closed the connection first. `open`: it is being sent, or the server fell silent.
   */
  readonly outcome: "complete" | "broken" | "refused" | "left" | "open";
  /** Whether the response said what the script says, and was complete. */
  readonly isTurn: boolean;
  /** Usage that the response reported before it ended; `undefined` if it reported none. */
  readonly usage: TokenCount | undefined;
  /**
   * Everything that the response reported about its usage, in order; the last is `usage`. A client that lost the end of
   * the response may have any of them, or none.
   */
  readonly usages: readonly TokenCount[];
  /** Whether the client must have received that usage: a reset may lose it, a stall may be noticed before it. */
  readonly isUsageCertain: boolean;
}

/** Everything that a hostile model server received and sent. */
export interface HostileModelLedger {
  /** The requests, in the order of arrival. */
  readonly requests: readonly HostileModelRequest[];
  /** Usage of all responses that were complete, turns and useless ones. */
  readonly completed: TokenCount;
  /** Usage that was reported by responses that were not. */
  readonly discarded: TokenCount;
  /** Numbers of the turns of which a complete response was sent, in order. */
  readonly turns: readonly number[];
  /** Problems of all requests. */
  readonly problems: readonly string[];
}

/** A request while it is answered. */
export type RequestEntry = { -readonly [K in keyof HostileModelRequest]: HostileModelRequest[K] };

function sum(requests: readonly HostileModelRequest[]): TokenCount {
  let [inputTokens, outputTokens] = [0, 0];
  for (const { usage } of requests) {
    inputTokens += usage?.inputTokens ?? 0;
    outputTokens += usage?.outputTokens ?? 0;
  }
  return { inputTokens, outputTokens };
}

/** The ledger of requests so far. */
export function ledgerOf(requests: readonly HostileModelRequest[]): HostileModelLedger {
  const turns = new Set(requests.flatMap(({ isTurn, turn }) => (isTurn ? [turn] : [])));
  return {
    requests: requests.map((request) => ({ ...request })),
    completed: sum(requests.filter(({ outcome }) => outcome === "complete")),
    discarded: sum(requests.filter(({ outcome }) => outcome !== "complete")),
    turns: [...turns].sort((one, other) => one - other),
    problems: requests.flatMap(({ number, problems }) => problems.map((problem) => `request ${number}: ${problem}`)),
  };
}
