import {
  type Client,
  EngineError,
  isErrorCode,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
} from "@switchyard/contracts";
import { eventsOfResponse } from "../response/events-of-response.ts";
import type { Cassette, RecordedCall } from "./cassette.ts";
import { compareRequest } from "./compare-request.ts";
import { mapTexts } from "./map-texts.ts";

/** How a recording is played. */
export interface ReplayOptions {
  /** `strict`: each request must match the recorded one; `sequence`: the answers come in order, whatever is asked. */
  mode: "strict" | "sequence";
  /** Applied to every text of both sides before they are compared; see `createNormaliser`. */
  normalise?: ((text: string) => string) | undefined;
  /** Applied to every text of an answer; see `createRestorer`. */
  restore?: ((text: string) => string) | undefined;
  /** Length of the pieces of a streamed answer, in UTF-16 units; default 24. */
  pieceLength?: number | undefined;
}

/** A client that plays a recording. */
export interface ReplayClient extends Client {
  /** How many calls were made so far. */
  readonly callCount: number;
  /** Throws the first `cassette.*` failure of the replay, or `cassette.unused` when recorded calls were never made. */
  assertFinished(): void;
}

function refuse(
  recorded: RecordedCall,
  request: ModelRequest,
  at: { index: number; options: ReplayOptions },
): EngineError | undefined {
  if (at.options.mode === "sequence") return undefined;
  const difference = compareRequest(recorded.request, request, { normalise: at.options.normalise });
  if (difference === undefined) return undefined;
  const { path, expected, actual } = difference;
  const problem = `${path} was recorded as ${expected} and is ${actual}.`.replace(/\.$/, "");
  return new EngineError("cassette.mismatch", { index: at.index, path, expected, actual, problem });
}

function throwRecorded({ error }: RecordedCall): never {
  const { code, message, details } = error ?? { code: "llm.unknown", message: "no answer was recorded", details: {} };
  if (isErrorCode(code)) throw new EngineError(code, details);
  throw new EngineError("llm.unknown", { provider: "recording", problem: message });
}

function throwIfAborted({ signal, provider }: ModelRequest): void {
  if (signal?.aborted) throw new EngineError("llm.aborted", { provider }, { cause: signal.reason });
}

/**
 * A client that answers from a recording and never guesses. Errors of a call: `cassette.mismatch` with the first
 * difference, `cassette.exhausted`, the recorded failure, `llm.aborted`. unified-llm-client: middleware.
 */
export function createReplayClient(cassette: Cassette, options: ReplayOptions): ReplayClient {
  const { calls } = cassette;
  let callCount = 0;
  let failure: EngineError | undefined;

  function fail(error: EngineError): never {
    failure ??= error;
    throw error;
  }
  function next(request: ModelRequest): ModelResponse {
    throwIfAborted(request);
    callCount += 1;
    const recorded = calls[callCount - 1];
    if (recorded === undefined)
      return fail(new EngineError("cassette.exhausted", { index: callCount, calls: calls.length }));
    const refusal = refuse(recorded, request, { index: callCount, options });
    if (refusal !== undefined) return fail(refusal);
    if (recorded.response === undefined) return throwRecorded(recorded);
    return options.restore === undefined ? recorded.response : mapTexts(recorded.response, options.restore);
  }
  async function* stream(request: ModelRequest): AsyncGenerator<StreamEvent, void, undefined> {
    for (const event of eventsOfResponse(next(request), options.pieceLength)) {
      throwIfAborted(request);
      yield event;
    }
  }
  return {
    get callCount() {
      return callCount;
    },
    complete: async (request) => next(request),
    stream: (request) => ({ [Symbol.asyncIterator]: () => stream(request) }),
    close: async () => undefined,
    assertFinished() {
      if (failure !== undefined) throw failure;
      const unused = Math.max(0, calls.length - callCount);
      if (unused > 0) throw new EngineError("cassette.unused", { unused, calls: calls.length });
    },
  };
}
