import type { FramePart } from "./response-content.ts";

/** Wait time that a rejected client should observe, and the format of the `Retry-After` header. */
export interface RetryAfter {
  /** Wait time, in seconds. */
  readonly seconds: number;
  /** Format of the header: seconds or an HTTP date. */
  readonly form: "seconds" | "date";
}

/** Point of the response at which the connection breaks or stalls. */
export interface FaultPosition {
  /**
   * Where the fault occurs: before the first byte, in the response headers, in a part of the response, or at `any`
   * byte.
   */
  readonly at: "request" | "headers" | "any" | FramePart;
  /** Relative position within the section, from 0 to 1. */
  readonly share: number;
}

/** A simulated fault of the model server in one response. */
export type HostileFault =
  /** Rejects the request with a status. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly retryAfter?: RetryAfter | undefined;
      readonly isHtml?: boolean | undefined;
    }
  /**
   * Closes the connection after a certain byte of the response. `isReset`: with a TCP reset, which may lose bytes that
   * were already sent.
   */
  | ({ readonly kind: "break"; readonly isReset: boolean } & FaultPosition)
  /** Stops sending after a certain byte, but keeps the connection open. */
  | ({ readonly kind: "stall" } & FaultPosition)
  /** Truncates the JSON of one event. */
  | { readonly kind: "malformed"; readonly share: number }
  /** Reports a provider failure in the middle of the response. */
  | { readonly kind: "error_event"; readonly share: number }
  /** Ends the response normally, without a finish reason. */
  | { readonly kind: "unfinished" }
  /** A complete response without content. */
  | { readonly kind: "empty" }
  /** A complete response that announces tool calls but contains none. */
  | { readonly kind: "calls_absent" }
  /**
   * A response that arrives completely, but reports that the model reached its output limit. The content ends within
   * the text or the first tool call.
   */
  | { readonly kind: "cut_off" }
  /** A complete response with the provider's finish reason for a failed generation. */
  | { readonly kind: "failed" }
  /** A complete response ended by the provider's content filter. */
  | { readonly kind: "filtered" };

/** Kinds of faults. */
export type FaultKind = HostileFault["kind"];

/**
 * Unusual behaviour that a client must accept: writes that end inside characters and lines (`splits`), pauses,
 * duplicate events, SSE comments, and CRLF line ends. Also tool calls that share an id, lack an index, or end with the
 * finish reason for text.
 */
export type Oddity =
  | "splits"
  | "pauses"
  | "duplicates"
  | "comments"
  | "crlf"
  | "repeated_ids"
  | "no_index"
  | "wrong_end";

/** Planned behaviour for one request. */
export interface PlannedResponse {
  /** Fault. `undefined`: a complete response with the content of the script step. */
  readonly fault?: HostileFault | undefined;
  /** Unusual but valid behaviour of the response. */
  readonly oddities: readonly Oddity[];
  /** Seed for the random sizes of the response's chunks and truncations. */
  readonly seed: number;
}

/**
 * Limits of the retries with which a client survives faults of the server. The defaults are the limits of Switchyard's
 * agent loop.
 */
export interface SurvivalPolicy {
  /** Maximum number of retries of a turn. Default: unlimited. */
  readonly retries?: number | undefined;
  /** Delay before the first retry, in milliseconds. The delay doubles with each further retry. Default: 1,000. */
  readonly baseDelayMs?: number | undefined;
  /** Maximum delay before one retry, in milliseconds. Default: 60,000. */
  readonly maxDelayMs?: number | undefined;
  /** Maximum total delay of a turn, in milliseconds. Default: 600,000. */
  readonly maxTotalDelayMs?: number | undefined;
  /**
   * Maximum number of consecutive useless responses, such as empty ones, for which the client asks the model to try
   * again. Default: 2.
   */
  readonly responseRetries?: number | undefined;
  /** Maximum number of consecutive truncated responses for which the client asks the model to continue. Default: 3. */
  readonly continuations?: number | undefined;
}

/**
 * Plan of a hostile model server: for each turn of the model's script, how the server responds to the requests for it.
 */
export interface FaultPlan {
  /** Seed of the plan. */
  readonly seed: number;
  /**
   * For each turn, the planned responses to its first, second and further requests. The last response has no fault and
   * is repeated for all further requests.
   */
  readonly turns: readonly (readonly PlannedResponse[])[];
  /** True if a client that retries within the limits of its `SurvivalPolicy` completes every turn of the script. */
  readonly completes: boolean;
  /**
   * Reason why a client cannot complete every turn within the limits of its `SurvivalPolicy`, for example because a
   * fault allows no retry. `undefined` if it can.
   */
  readonly reason?: string | undefined;
}
