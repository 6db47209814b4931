import {
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
} from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { type CassetteHeader, type RecordedCall, type RecordedError, toRecordedRequest } from "./cassette.ts";
import { mapTexts } from "./map-texts.ts";
import { createCallSerializer, serializeHeader } from "./serialize-cassette.ts";

/** Where and how model calls are recorded. */
export interface RecorderOptions {
  /** Takes each line of the cassette, the header first, without line ends. */
  write?: ((line: string) => void) | undefined;
  /** Takes each call as data, masked and normalised like the line. */
  record?: ((call: RecordedCall) => void) | undefined;
  /** Takes secrets out before anything is written. */
  masker?: Pick<Masker, "maskData"> | undefined;
  /** Puts marks for what differs from run to run; see `createNormaliser`. */
  normalise?: ((text: string) => string) | undefined;
  /** First line of the cassette. */
  header?: Partial<Omit<CassetteHeader, "format" | "version">> | undefined;
}

/** The place of one call in the recording; calls are written in the order in which they began. */
type Slot = (call: RecordedCall) => void;

function toRecordedError(error: unknown): RecordedError {
  if (EngineError.is(error)) return { code: error.code, message: error.message, details: error.details };
  const problem = error instanceof Error ? error.message : String(error);
  return { code: "llm.unknown", message: problem, details: { problem } };
}

function createRecording(options: RecorderOptions): { open: () => Slot } {
  const serializer = createCallSerializer();
  const slots: { call: RecordedCall | undefined }[] = [];
  let hasHeader = false;

  function writeCall(raw: RecordedCall): void {
    const masked = options.masker === undefined ? raw : options.masker.maskData(raw);
    const call = options.normalise === undefined ? masked : mapTexts(masked, options.normalise);
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
      const slot: { call: RecordedCall | undefined } = { call: undefined };
      slots.push(slot);
      return (call) => {
        if (slot.call !== undefined) return;
        slot.call = call;
        while (slots[0]?.call !== undefined) writeCall(slots.shift()?.call ?? call);
      };
    },
  };
}

async function* recordStream(
  client: Client,
  request: ModelRequest,
  close: Slot,
): AsyncGenerator<StreamEvent, void, undefined> {
  const recorded = toRecordedRequest(request);
  let response: ModelResponse | undefined;
  try {
    for await (const event of client.stream(request)) {
      if (event.type === "finish") {
        response = event.response;
        close({ request: recorded, response });
      }
      yield event;
    }
  } catch (error) {
    close({ request: recorded, error: toRecordedError(error) });
    throw error;
  } finally {
    // The reader left before the end: there is no answer that could be replayed.
    close({
      request: recorded,
      error: toRecordedError(new EngineError("llm.aborted", { provider: request.provider })),
    });
  }
}

/** A client that writes down every call it makes, streamed or not, with secrets masked. unified-llm-client: middleware. */
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
        close({ request: recorded, error: toRecordedError(error) });
        throw error;
      }
    },
    stream: (request) => ({ [Symbol.asyncIterator]: () => recordStream(client, request, recording.open()) }),
    close: () => client.close(),
  };
}
