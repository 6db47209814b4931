import { type Client, EngineError, isErrorCode, type ModelRequest, type StreamEvent } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { eventsOfParts } from "../response/events-of-response.ts";
import { type Cassette, type RecordedCall, type RecordedRequest, toRecordedRequest } from "./cassette.ts";
import { compareRequest } from "./compare-request.ts";
import { createCleaner } from "./create-cleaner.ts";
import type { Difference } from "./first-difference.ts";
import { mapTexts } from "./map-texts.ts";

/** Options for replaying a recording. */
export interface ReplayOptions {
  /**
   * `strict`: each request must match a recorded request that was not replayed yet, in order unless calls are
   * concurrent. `sequence`: responses are returned in recorded order, without comparing requests.
   */
  mode: "strict" | "sequence";
  /** Masks secrets in requests before the comparison, like the recorder. */
  masker?: Pick<Masker, "maskData"> | undefined;
  /**
   * Function that is applied to every text of the recorded and the actual request before they are compared; see
   * `createNormaliser`.
   */
  normalise?: ((text: string) => string) | undefined;
  /** Applied to every text of a response; see `createRestorer`. */
  restore?: ((text: string) => string) | undefined;
  /** Chunk length for responses that were not streamed when recorded, in UTF-16 units. Default: 24. */
  pieceLength?: number | undefined;
}

/** A client that answers requests with the responses of a recording. */
export interface ReplayClient extends Client {
  /** Number of calls so far. */
  readonly callCount: number;
  /** Throws the first `cassette.*` failure of the replay, or `cassette.unused` if recorded calls were not replayed. */
  assertFinished(): void;
}

/** Finds the recorded call of a request. */
interface CallFinder {
  /**
   * Returns the next recorded call that was not replayed yet. In strict mode, returns the first such call that matches
   * the request.
   */
  find(request: ModelRequest): { call: RecordedCall } | { difference: Difference } | undefined;
  /** Returns the number of recorded calls that were not replayed. */
  unused(): number;
}

function createFinder({ calls }: Cassette, { mode, masker, normalise }: ReplayOptions): CallFinder {
  const unplayed = [...calls];
  const recorded = createCleaner({});
  const actual = createCleaner({ masker });

  function differenceOf(call: RecordedCall, request: RecordedRequest): Difference | undefined {
    const difference = compareRequest(call.request, request, { normalise });
    if (difference === undefined) return undefined;
    // A recording contains no secrets, so secrets are removed from the actual request before the comparison.
    return compareRequest(recorded.request(call.request), actual.request(request), { normalise });
  }
  return {
    unused: () => unplayed.length,
    find(request) {
      const [next] = unplayed;
      if (next === undefined) return undefined;
      const plain = toRecordedRequest(request);
      const difference = mode === "sequence" ? undefined : differenceOf(next, plain);
      if (difference === undefined) {
        unplayed.shift();
        return { call: next };
      }
      // Concurrent calls may be made in another order than in the recording.
      const index = unplayed.findIndex((call, at) => at > 0 && differenceOf(call, plain) === undefined);
      const [call] = index === -1 ? [] : unplayed.splice(index, 1);
      return call === undefined ? { difference } : { call };
    },
  };
}

function mismatch(index: number, { path, expected, actual }: Difference): EngineError {
  const problem = `${path} was recorded as ${expected} and is ${actual}.`.replace(/\.$/, "");
  return new EngineError("cassette.mismatch", { index, path, expected, actual, problem });
}

function throwRecorded({ error }: RecordedCall): never {
  const { code, message, details } = error ?? { code: "llm.unknown", message: "no response was recorded", details: {} };
  if (isErrorCode(code)) throw new EngineError(code, details);
  throw new EngineError("llm.unknown", { provider: "recording", problem: message });
}

function throwIfAborted({ signal, provider }: ModelRequest): void {
  if (signal?.aborted) throw new EngineError("llm.aborted", { provider }, { cause: signal.reason });
}

/**
 * Creates a client that responds from a recording and never guesses. Calls fail with `cassette.mismatch` and the first
 * difference, `cassette.exhausted`, the recorded failure, or `llm.aborted`. See unified-llm-client: middleware.
 */
export function createReplayClient(cassette: Cassette, options: ReplayOptions): ReplayClient {
  const { restore, pieceLength = 24 } = options;
  const { calls } = cassette;
  const finder = createFinder(cassette, options);
  let callCount = 0;
  let failure: EngineError | undefined;

  function fail(error: EngineError): never {
    failure ??= error;
    throw error;
  }
  function next(request: ModelRequest): RecordedCall {
    throwIfAborted(request);
    callCount += 1;
    const found = finder.find(request);
    if (found === undefined) {
      return fail(new EngineError("cassette.exhausted", { index: callCount, calls: calls.length }));
    }
    if ("difference" in found) return fail(mismatch(callCount, found.difference));
    const { request: recorded, ...played } = found.call;
    return { request: recorded, ...(restore === undefined ? played : mapTexts(played, restore)) };
  }
  async function* stream(request: ModelRequest): AsyncGenerator<StreamEvent, void, undefined> {
    const call = next(request);
    const { response, delivered = [], pieces, unfinished } = call;
    // A recorded call without delivered content failed before its first event.
    if (response === undefined && call.delivered === undefined) return throwRecorded(call);
    yield response === undefined
      ? { type: "stream_start" }
      : { type: "stream_start", id: response.id, model: response.model };
    for (const event of eventsOfParts(response?.message.parts ?? delivered, { pieceLength, pieces, unfinished })) {
      throwIfAborted(request);
      yield event;
    }
    if (response === undefined) return throwRecorded(call);
    throwIfAborted(request);
    yield { type: "finish", response };
  }
  return {
    get callCount() {
      return callCount;
    },
    complete: async (request) => {
      const call = next(request);
      return call.response ?? throwRecorded(call);
    },
    stream: (request) => ({ [Symbol.asyncIterator]: () => stream(request) }),
    close: async () => undefined,
    assertFinished() {
      if (failure !== undefined) throw failure;
      const unused = finder.unused();
      if (unused > 0) throw new EngineError("cassette.unused", { unused, calls: calls.length });
    },
  };
}

/**
 * Wraps a client and responds from a recording instead; the wrapped client is only closed. See unified-llm-client:
 * middleware.
 */
export function withReplay(client: Client, cassette: Cassette, options: ReplayOptions): ReplayClient {
  const replay = createReplayClient(cassette, options);
  return {
    get callCount() {
      return replay.callCount;
    },
    complete: (request) => replay.complete(request),
    stream: (request) => replay.stream(request),
    close: () => client.close(),
    assertFinished: () => replay.assertFinished(),
  };
}
