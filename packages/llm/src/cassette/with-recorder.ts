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

/** Where and how model calls are recorded. */
export interface RecorderOptions {
  /** Takes each line of the cassette, the header first, without line ends. */
  write?: ((line: string) => void) | undefined;
  /** Takes each call as data, masked and normalised like the line. */
  record?: ((call: RecordedCall) => void) | undefined;
  /**
   * Takes known secrets out before anything is written. What looks like a credential, headers, settings whose names
   * say that they are secret, and keys in addresses are taken out in any case.
   */
  masker?: Pick<Masker, "maskData"> | undefined;
  /** Puts marks for what differs from run to run; see `createNormaliser`. */
  normalise?: ((text: string) => string) | undefined;
  /** First line of the cassette. */
  header?: Partial<Omit<CassetteHeader, "format" | "version">> | undefined;
}

/**
 * The place of one call in the recording; calls are written in the order in which they began. Without a call the place
 * is given up.
 */
type Slot = (call?: RecordedCall) => void;

/** Calls on their way into a recording. */
interface Recording {
  /** Takes the place of a call that begins. */
  open(): Slot;
  /** Writes what is known of all calls; those that are still open have no answer that could be replayed. */
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
    options.record?.(call);
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

/** The call of a stream that did not come to its end, with what it had delivered. */
function brokenCall(request: RecordedRequest, events: readonly StreamEvent[], error: unknown): RecordedCall {
  const { parts: delivered, unfinished } = deliveredParts(events);
  const call: RecordedCall = { request, error: toRecordedError(error) };
  if (delivered.length === 0) return call;
  return { ...call, delivered, pieces: chunkLengths(events, delivered), unfinished };
}

/** A failed attempt that is retried is not part of the conversation. */
function isLeftOut({ isRetried }: ModelRequest, failure: unknown): boolean {
  return isRetried?.(failure) === true;
}

async function* recordStream(
  client: Client,
  request: ModelRequest,
  recording: Recording,
): AsyncGenerator<StreamEvent, void, undefined> {
  // Not before it is read: a stream that nobody reads is no call, and would hold up those behind it.
  const close = recording.open();
  const recorded = toRecordedRequest(request);
  const events: StreamEvent[] = [];
  // A reader that leaves before the end gets no answer that could be replayed.
  let failure: unknown = new EngineError("llm.aborted", { provider: request.provider });
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
    failure = new EngineError("llm.stream_broken", { problem: "it ended without an answer" });
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    if (!isAnswered) close(isLeftOut(request, failure) ? undefined : brokenCall(recorded, events, failure));
  }
}

/**
 * A client that writes down every call it makes, streamed or not: what was asked, the answer or the failure, how it was
 * cut into pieces; never `raw`, and no secrets. A failed attempt that its caller retries is left out. unified-llm-client: middleware.
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
        close(isLeftOut(request, error) ? undefined : { request: recorded, error: toRecordedError(error) });
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
