import { EngineError, type Envelope, type RunStatus, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import type { EventSourceMessage } from "eventsource-parser";
import { callServer, invalidResponse, isRetryable, unreachable } from "../http/call-server.ts";
import { pause, type Retries, retryDelayMs } from "../http/retries.ts";
import type { ServerAddress } from "../http/server-address.ts";
import { readFrames } from "./read-frames.ts";

/** Options for watching a run. */
export interface WatchOptions {
  /** Sequence number of the last stored event that the caller has. Default: from the first event. */
  readonly afterSeq?: number | undefined;
  /** Signal that ends the stream. */
  readonly signal?: AbortSignal | undefined;
}

/** Settings for watching a run. */
export interface Watcher {
  readonly address: ServerAddress;
  readonly retries: Retries;
  /** Time without a heartbeat after which a connection is abandoned, in milliseconds. */
  readonly stallMs: number;
}

/** Progress of watching. */
interface Position {
  seq: number;
  /** Number of consecutive connections without events. */
  emptyConnections: number;
}

/**
 * Streams the events of a run until it ends, reconnecting as needed. Stored events are complete, in order and without
 * duplicates; deltas may be missing. Returns the final status; `undefined` if the run has not ended and no process
 * works on it. Rejects with a `ServerProblem`, with `server.unreachable`, or with the signal's reason. See durability
 * promise D13.
 */
export async function* watchRun(
  watcher: Watcher,
  runId: string,
  { afterSeq = 0, signal }: WatchOptions = {},
): AsyncGenerator<Envelope, RunStatus | undefined> {
  const { retries } = watcher;
  const position: Position = { seq: afterSeq, emptyConnections: 0 };
  for (;;) {
    let failure: unknown;
    try {
      const over = yield* connection(watcher, { runId, position, signal });
      if (over !== undefined) return over.status;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isRetryable(error)) throw error;
      failure = error;
    }
    position.emptyConnections += 1;
    if (position.emptyConnections > retries.maxRetries) {
      throw failure ?? unreachable(watcher.address, new Error("it hangs up every time"));
    }
    await pause(retryDelayMs(position.emptyConnections, failure, retries), retries, signal);
  }
}

interface Connection {
  readonly runId: string;
  readonly position: Position;
  readonly signal: AbortSignal | undefined;
}

/** Streams the events of one connection. If the server announces that the run has ended, returns this announcement. */
async function* connection(
  { address, retries, stallMs }: Watcher,
  { runId, position, signal }: Connection,
): AsyncGenerator<Envelope, { status: RunStatus | undefined } | undefined> {
  const stalled = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onHeartbeat = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => stalled.abort(), stallMs);
  };
  onHeartbeat();
  try {
    const path = `/v1/runs/${encodeURIComponent(runId)}/events`;
    const headers = { accept: "text/event-stream", ...lastEventId(runId, position.seq) };
    const both = signal === undefined ? stalled.signal : AbortSignal.any([signal, stalled.signal]);
    const call = { method: "GET", path, headers, signal: both, isRepeatable: false } as const;
    const response = await callServer(address, call, retries);
    for await (const frame of readFrames(response, onHeartbeat)) {
      const { event } = frame;
      if (event === undefined || event === "message") {
        const envelope = envelopeOf(address, frame);
        if (!isNew(envelope, position)) continue;
        position.emptyConnections = 0;
        yield envelope;
      } else {
        const over = endOf(address, frame);
        if (over !== undefined) return over;
      }
    }
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    // The caller of this function reconnects after this error.
    throw EngineError.is(error) ? error : unreachable(address, error);
  } finally {
    clearTimeout(timer);
  }
}

function lastEventId(runId: string, seq: number): Readonly<Record<string, string>> {
  return seq > 0 ? { "last-event-id": `${runId}.${seq}` } : {};
}

/** Returns true for events that were not seen before. Events without a number always count as new. */
function isNew({ seq }: Envelope, position: Position): boolean {
  if (seq === undefined) return true;
  if (seq <= position.seq) return false;
  position.seq = seq;
  return true;
}

function envelopeOf(address: ServerAddress, { data }: EventSourceMessage): Envelope {
  try {
    const envelope: Envelope = JSON.parse(data);
    if (typeof envelope.type === "string") return envelope;
  } catch {
    // Reported below.
  }
  throw invalidResponse(address, "an event of the stream is malformed");
}

/** Returns the end of the run from a server notice; `undefined` if the client should reconnect. */
function endOf(
  address: ServerAddress,
  { event, data }: EventSourceMessage,
): { status: RunStatus | undefined } | undefined {
  const said: Readonly<Record<string, unknown>> = JSON.parse(data);
  if (event === "end") return { status: TERMINAL_RUN_STATUSES.find((status) => status === said["status"]) };
  if (event === "deleted") throw new EngineError("server.unknown_run", { runId: said["run_id"] });
  if (event === "problem") throw invalidResponse(address, String(said["detail"] ?? said["code"]));
  return undefined;
}
