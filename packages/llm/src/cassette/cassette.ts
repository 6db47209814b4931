import type { ErrorDetails, Message, ModelRequest, ModelResponse, Part } from "@switchyard/contracts";

/** Name of the recording format. */
export const CASSETTE_FORMAT = "switchyard/cassette";

/** Version of the recording format that this package writes. */
export const CASSETTE_VERSION = 1;

/** First line of a recording. */
export interface CassetteHeader {
  /** Format: `switchyard/cassette`. */
  format: typeof CASSETTE_FORMAT;
  /** Version: 1. */
  version: typeof CASSETTE_VERSION;
  /** Description of the recording, one sentence. */
  description: string;
  /** True if a person wrote the responses. Absent in real recordings. */
  handwritten?: boolean | undefined;
  /** Requested model. */
  model?: string | undefined;
}

/** Recorded part of a request: everything except the signal and callbacks. */
export type RecordedRequest = Omit<ModelRequest, "signal" | "onRetry" | "isRetried">;

/** A recorded failure. */
export interface RecordedError {
  /** Error code. */
  code: string;
  /** Human-readable message. */
  message: string;
  /** Error details. */
  details: ErrorDetails;
}

/** One recorded model call: the request, and the response or failure. */
export interface RecordedCall {
  /** Recorded request, with the complete message history. */
  request: RecordedRequest;
  /** Recorded response. `undefined` if the call failed. */
  response?: ModelResponse | undefined;
  /** Recorded failure. `undefined` if the call succeeded. */
  error?: RecordedError | undefined;
  /** Content that the stream had delivered before the stream failed or the consumer stopped reading. */
  delivered?: readonly Part[] | undefined;
  /** Indexes of the parts in `delivered` that were incomplete. */
  unfinished?: readonly number[] | undefined;
  /** Lengths of the streamed chunks of each delivered part, in UTF-16 units. */
  pieces?: readonly (readonly number[])[] | undefined;
}

/** A recording of model calls, in call order. */
export interface Cassette {
  /** First line. */
  header: CassetteHeader;
  /** Recorded calls. */
  calls: readonly RecordedCall[];
}

/** Returns the recorded part of a request. Its list of messages is a copy, because the caller may reuse its own list. */
export function toRecordedRequest(request: ModelRequest): RecordedRequest {
  const { signal: _signal, onRetry: _onRetry, isRetried: _isRetried, ...recorded } = request;
  return { ...recorded, messages: recorded.messages.slice() };
}

/** Messages of a recorded request, stored as the difference from the previous call. */
export interface MessageDelta {
  /** Number of messages at the beginning that are the same as in the previous call. Absent if there are none. */
  after?: number | undefined;
  /** Messages that follow those repeated from the previous call. */
  messages: readonly Message[];
}
