import type { ErrorDetails, Message, ModelRequest, ModelResponse, Part } from "@switchyard/contracts";

/** Name of the one format of recordings. */
export const CASSETTE_FORMAT = "switchyard/cassette";

/** Version of the format that is written. */
export const CASSETTE_VERSION = 1;

/** First line of a recording. */
export interface CassetteHeader {
  /** `switchyard/cassette`. */
  format: typeof CASSETTE_FORMAT;
  /** 1. */
  version: typeof CASSETTE_VERSION;
  /** What was recorded, one sentence. */
  description: string;
  /** Whether a person wrote the answers; a real recording does not say so. */
  handwritten?: boolean | undefined;
  /** Model that was asked. */
  model?: string | undefined;
}

/** What of a request is recorded: all of it but the signal and the callbacks. */
export type RecordedRequest = Omit<ModelRequest, "signal" | "onRetry" | "isRetried">;

/** A recorded failure. */
export interface RecordedError {
  /** Code of the error table. */
  code: string;
  /** Its message, for readers. */
  message: string;
  /** What was known about it. */
  details: ErrorDetails;
}

/** One recorded model call: what was asked, and the answer or the failure. */
export interface RecordedCall {
  /** What was asked, with the whole history. */
  request: RecordedRequest;
  /** The answer, if there was one. */
  response?: ModelResponse | undefined;
  /** The failure, if there was one. */
  error?: RecordedError | undefined;
  /** What a stream had delivered before it failed or was left. */
  delivered?: readonly Part[] | undefined;
  /** Which parts of what was delivered had not come to their end, by index. */
  unfinished?: readonly number[] | undefined;
  /** How a stream was cut: for each part of what was delivered the lengths of its pieces, in UTF-16 units. */
  pieces?: readonly (readonly number[])[] | undefined;
}

/** A recording of model calls, in the order in which they were made. */
export interface Cassette {
  /** Its first line. */
  header: CassetteHeader;
  /** The calls. */
  calls: readonly RecordedCall[];
}

/** The part of a request that is recorded. */
export function toRecordedRequest(request: ModelRequest): RecordedRequest {
  const { signal: _signal, onRetry: _onRetry, isRetried: _isRetried, ...recorded } = request;
  return recorded;
}

/** What a request of a recording does not repeat: messages that were in the call before it. */
export interface MessageDelta {
  /** How many messages of the previous call come first; absent when none. */
  after?: number | undefined;
  /** The messages after those. */
  messages: readonly Message[];
}
