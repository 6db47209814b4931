import type { FramePart } from "./response-content.ts";

/** How long a refusal asks the client to wait, and in which form of the header. */
export interface RetryAfter {
  /** Time to wait, in seconds. */
  readonly seconds: number;
  /** Whether the header has seconds or an HTTP date. */
  readonly form: "seconds" | "date";
}

/** Where a connection breaks or falls silent. */
export interface FaultPosition {
  /** Before the first byte, within the response headers, or within a part of the response; `any` of its bytes. */
  readonly at: "request" | "headers" | "any" | FramePart;
  /** Position of the byte in it, from 0 to 1. */
  readonly share: number;
}

/** What the server does instead of answering a request as its script says. */
export type HostileFault =
  /** Refuses the request with a status. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly retryAfter?: RetryAfter | undefined;
      readonly isHtml?: boolean | undefined;
    }
  /** Closes the connection at a byte; `isReset` with a reset, which may lose bytes that were sent before. */
  | ({ readonly kind: "break"; readonly isReset: boolean } & FaultPosition)
  /** Falls silent at a byte and keeps the connection open. */
  | ({ readonly kind: "stall" } & FaultPosition)
  /** Cuts the JSON of one event short. */
  | { readonly kind: "malformed"; readonly share: number }
  /** Reports a failure of the provider in the middle of the response. */
  | { readonly kind: "error_event"; readonly share: number }
  /** Ends the response properly, without a finish reason. */
  | { readonly kind: "unfinished" }
  /** A complete response with nothing in it. */
  | { readonly kind: "empty" }
  /** A complete response that announces tool calls and has none. */
  | { readonly kind: "calls_absent" }
  /** A complete response that was cut off at the output limit, within its text or its first call. */
  | { readonly kind: "cut_off" }
  /** A complete response that ends with the provider's word for a failed generation. */
  | { readonly kind: "failed" }
  /** A complete response that the provider's content filter ended. */
  | { readonly kind: "filtered" };

/** Kinds of faults. */
export type FaultKind = HostileFault["kind"];

/**
 * What a client must accept: writes that end inside characters and lines (`splits`), pauses, events that come twice,
 * SSE comments, lines that end in CRLF, calls that share an id, or lack an index, or end with the word for a text.
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

/** What the server does with one request. */
export interface PlannedResponse {
  /** `undefined` for a complete response that says what the script says. */
  readonly fault?: HostileFault | undefined;
  /** In what valid ways the response is odd. */
  readonly oddities: readonly Oddity[];
  /** Decides the pieces and the cuts of the response. */
  readonly seed: number;
}

/** What a client is expected to survive. Defaults: those of Switchyard's agent loop. */
export interface SurvivalPolicy {
  /** Maximum number of retries of a turn. Default: unlimited. */
  readonly retries?: number | undefined;
  /** Wait before the first retry, doubled for each further one, in milliseconds. Default: 1,000. */
  readonly baseDelayMs?: number | undefined;
  /** Longest wait before one retry, in milliseconds. Default: 60,000. */
  readonly maxDelayMs?: number | undefined;
  /** Longest total wait of a turn, in milliseconds. Default: 600,000. */
  readonly maxTotalDelayMs?: number | undefined;
  /** Maximum number of useless responses in a row that the model is asked to repair. Default: 2. */
  readonly responseRetries?: number | undefined;
  /** Maximum number of cut-off responses in a row that the model is asked to continue. Default: 3. */
  readonly continuations?: number | undefined;
}

/** What the server does with every request, by the turn of the script that it asks for. */
export interface FaultPlan {
  /** Seed that the plan was made from. */
  readonly seed: number;
  /** The responses of each turn, in order. The last of a turn has no fault; it answers every further request. */
  readonly turns: readonly (readonly PlannedResponse[])[];
  /** Whether a client that keeps to the policy gets every turn. */
  readonly completes: boolean;
  /** Why it does not; `undefined` if it does. */
  readonly reason?: string | undefined;
}
