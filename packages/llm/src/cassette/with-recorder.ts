import { type Client, EngineError, type ModelRequest, type StreamEvent } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import {
  type CassetteHeader,
  type RecordedCall,
  type RecordedError,
  type RecordedRequest,
  toRecordedRequest,
} from "./cassette.ts";
import { chunkLengths } from "./chunk-lengths.ts";
import { createCleaner } from "./create-cleaner.ts";
import { deliveredParts } from "./delivered-parts.ts";
import { createCallSerializer, serializeHeader } from "./serialize-cassette.ts";

/** Options for recording model calls. */
export interface RecorderOptions {
  /** Receives each line of the cassette, header first, without line ends. */
  write?: ((line: string) => void) | undefined;
  /** Receives each call as data, masked and normalised like the recorded line. */
  record?: ((call: RecordedCall) => void) | undefined;
  /**
   * Masks known secrets in everything that is written. Independently of this function, values that look like
   * credentials, headers, settings with secret names, and keys in URLs are always removed.
   */
  masker?: Pick<Masker, "maskData"> | undefined;
  /** Replaces run-specific values, such as paths and times, with placeholders; see `createNormaliser`. */
  normalise?: ((text: string) => string) | undefined;
  /** First line of the cassette. */
  header?: Partial<Omit<CassetteHeader, "format" | "version">> | undefined;
}

/**
 * Function that stores a call at its position in the recording. Positions follow the order in which calls started. If
 * no call is given, nothing is stored and the position is left out.
 */
type Slot = (call?: RecordedCall) => void;

/** Calls that are being recorded. */
interface Recording {
  /** Reserves the position of a new call in the recording. */
  open(): Slot;
  /** Writes all completed calls to the recording. Calls in progress are omitted, because they have no response yet. */
  finish(): void;
}

function toRecordedError(error: unknown): RecordedError {
  if (EngineError.is(error)) return { code: error.code, message: error.message, details: error.details };
  const problem = error instanceof Error ? error.message : String(error);
  return { code: "llm.unknown", message: problem, details: { problem } };
}

function createRecording(options: RecorderOptions): Recording {
  const serializer = createCallSerializer();
  const cleaner = createCleaner(options);
  const slots: { call: RecordedCall | undefined; isOver: boolean }[] = [];
  let hasHeader = false;

  function writeCall(raw: RecordedCall): void {
    const call = cleaner.call(raw);
    if (!hasHeader) {
      hasHeader = true;
      options.write?.(
        serializeHeader({ description: "Recorded model calls", model: call.request.model, ...options.header }),
      );
    }
    // The receiver gets a copy of the list of messages, because the cleaner adds the messages of the next call to the
    // original list.
    options.record?.({ ...call, request: { ...call.request, messages: call.request.messages.slice() } });
    options.write?.(serializer.line(call));
  }
  return {
    open() {
      const slot: { call: RecordedCall | undefined; isOver: boolean } = { call: undefined, isOver: false };
      slots.push(slot);
      return (call) => {
        if (slot.isOver) return;
        Object.assign(slot, { call, isOver: true });
        for (let first = slots[0]; first?.isOver === true; first = slots[0]) {
          slots.shift();
          if (first.call !== undefined) writeCall(first.call);
        }
      };
    },
    finish() {
      for (const { call } of slots.splice(0)) if (call !== undefined) writeCall(call);
    },
  };
}

/** Returns the recorded call of an incomplete stream, with the content that was delivered. */
function brokenCall(request: RecordedRequest, events: readonly StreamEvent[], error: unknown): RecordedCall {
  const { parts: delivered, unfinished } = deliveredParts(events);
  const call: RecordedCall = { request, error: toRecordedError(error) };
  if (delivered.length === 0) return call;
  return { ...call, delivered, pieces: chunkLengths(events, delivered), unfinished };
}

/**
 * Returns whether a failed attempt is left out of the recording, because it is retried and therefore not part of the
 * conversation.
 */
function isOmitted({ isRetried }: ModelRequest, failure: unknown): boolean {
  return isRetried?.(failure) === true;
}

async function* recordStream(
  client: Client,
  request: ModelRequest,
  recording: Recording,
): AsyncGenerator<StreamEvent, void, undefined> {
  // The call is recorded only once the stream is read.
  // A stream without a consumer makes no call. Waiting for its end would block the recording of later calls.
  const close = recording.open();
  const recorded = toRecordedRequest(request);
  const events: StreamEvent[] = [];
  let failure: unknown;
  let isAnswered = false;
  try {
    for await (const event of client.stream(request)) {
      if (event.type === "finish") {
        const { response } = event;
        isAnswered = true;
        close({ request: recorded, response, pieces: chunkLengths(events, response.message.parts) });
      } else {
        events.push(event);
      }
      yield event;
    }
    if (!isAnswered) failure = new EngineError("llm.stream_broken", { problem: "it ended without a response" });
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    if (!isAnswered) {
      // A consumer that stops early has no response that could be replayed.
      failure ??= new EngineError("llm.aborted", { provider: request.provider });
      close(isOmitted(request, failure) ? undefined : brokenCall(recorded, events, failure));
    }
  }
}

/**
 * Wraps a client and records every call, streamed or not: request, response or failure, and chunk lengths; never `raw`,
 * and no secrets. Failed attempts that are retried are excluded. See unified-llm-client: middleware.
 */
export function withRecorder(client: Client, options: RecorderOptions): Client {
  const recording = createRecording(options);
  return {
    async complete(request) {
      const close = recording.open();
      const recorded = toRecordedRequest(request);
      try {
        const response = await client.complete(request);
        close({ request: recorded, response });
        return response;
      } catch (error) {
        close(isOmitted(request, error) ? undefined : { request: recorded, error: toRecordedError(error) });
        throw error;
      }
    },
    stream: (request) => ({ [Symbol.asyncIterator]: () => recordStream(client, request, recording) }),
    close: async () => {
      recording.finish();
      await client.close();
    },
  };
}
