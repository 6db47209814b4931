import type { HostileFault, Oddity } from "./hostile-fault.ts";
import type { ModelApi } from "./model-api.ts";
import type { TokenCount } from "./response-content.ts";

/** A request received by the server, and the outcome of its response. */
export interface HostileModelRequest {
  /** 1-based number of the request, in order of arrival. */
  readonly number: number;
  /** Requested API. */
  readonly api: ModelApi;
  /** True if a stream was requested. */
  readonly isStreamed: boolean;
  /** Parsed body of the request. */
  readonly body: unknown;
  /** Reasons why the real API would reject the request, and texts of incomplete responses that the request repeats. */
  readonly problems: readonly string[];
  /** 1-based number of the script's turn that was requested. */
  readonly turn: number;
  /** Number of the request among all requests for the same turn, 1-based. */
  readonly attempt: number;
  /** Planned fault of the response. `undefined` if there was none. */
  readonly fault: HostileFault | undefined;
  /** Unusual but valid behaviour of the response. */
  readonly oddities: readonly Oddity[];
  /**
   * Outcome of the response. `complete`: sent completely. `broken`: stopped by a fault. `refused`: rejected with an
   * HTTP status. `left`: the client closed the connection first. `open`: still being sent, or stalled.
   */
  readonly outcome: "complete" | "broken" | "refused" | "left" | "open";
  /** True if the response was complete and had the content of the script step. */
  readonly isTurn: boolean;
  /** Last token usage that the response reported. `undefined` if it reported none. */
  readonly usage: TokenCount | undefined;
  /**
   * All usage reports of the response, in order. The last report equals `usage`. A client that lost the end of the
   * response may have received any of them, or none.
   */
  readonly usages: readonly TokenCount[];
  /**
   * True if the client has certainly received `usage`. False after a connection reset, because sent bytes may be lost.
   * Also false after a stall, because the client may time out before it has read everything that was sent.
   */
  readonly isUsageCertain: boolean;
}

/** Everything that a hostile model server received and sent. */
export interface HostileModelLedger {
  /** Requests in order of arrival. */
  readonly requests: readonly HostileModelRequest[];
  /** Usage of all complete responses, including those without the content of the script step, such as empty ones. */
  readonly completed: TokenCount;
  /** Usage reported by incomplete responses. */
  readonly discarded: TokenCount;
  /** Numbers of the turns with a complete response, in order. */
  readonly turns: readonly number[];
  /** Problems of all requests. */
  readonly problems: readonly string[];
}

/** Data of a request while the server handles it. */
export type RequestEntry = { -readonly [K in keyof HostileModelRequest]: HostileModelRequest[K] };

function sum(requests: readonly HostileModelRequest[]): TokenCount {
  let [inputTokens, outputTokens] = [0, 0];
  for (const { usage } of requests) {
    inputTokens += usage?.inputTokens ?? 0;
    outputTokens += usage?.outputTokens ?? 0;
  }
  return { inputTokens, outputTokens };
}

/** Returns the log of the requests so far, with sums of their usage. */
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
