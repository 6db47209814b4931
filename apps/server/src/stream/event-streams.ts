import type { ServerResponse } from "node:http";
import { EngineError, type RunStore, toEngineError } from "@switchyard/contracts";
import { EventClient } from "./event-client.ts";
import { noticeFrame, type StreamNotice } from "./event-frame.ts";
import type { EventHub } from "./event-hub.ts";

/** Default maximum number of streams of one caller. */
const MAX_PER_OWNER = 50;
/** Default maximum number of bytes buffered for one client. */
const MAX_WAITING_BYTES = 1024 * 1024;
const HEARTBEAT_MS = 15_000;

/** Options of event streams. */
export interface EventStreamOptions {
  /** Maximum number of streams of one caller. Default: 50. */
  readonly maxPerOwner?: number | undefined;
  /** Maximum number of bytes buffered for one client before it is disconnected. Default: 1 MiB. */
  readonly maxWaitingBytes?: number | undefined;
  /** Heartbeat interval, in milliseconds. Default: 15,000. */
  readonly heartbeatMs?: number | undefined;
}

/** A request for an event stream. */
export interface StreamRequest {
  /** Id of the run. */
  readonly runId: string;
  /** Owner of the token that opened the stream. */
  readonly owner: string;
  /** Sequence number of the last event that the client has. 0: all events are sent. */
  readonly afterSeq: number;
  /** Source of the events. */
  readonly hub: EventHub;
  /** Returns true if the caller has lost the right to read the events. Called at each heartbeat. */
  readonly isForbidden?: (() => boolean) | undefined;
}

interface OpenStream extends StreamRequest {
  readonly client: EventClient;
}

/** All event streams of a server. */
export class EventStreams {
  readonly #open = new Set<OpenStream>();
  readonly #options: EventStreamOptions;
  readonly #heartbeat: NodeJS.Timeout;
  /** Number of clients disconnected for reading too slowly. */
  dropped = 0;

  constructor(options: EventStreamOptions = {}) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs ?? HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /** Returns whether a client is reading the events of a run. */
  isWatched(runId: string): boolean {
    for (const stream of this.#open) if (stream.runId === runId) return true;
    return false;
  }

  /** Throws `server.too_many_streams` if a caller has too many streams. */
  assertRoom(owner: string): void {
    const limit = this.#options.maxPerOwner ?? MAX_PER_OWNER;
    const count = [...this.#open].filter((stream) => stream.owner === owner).length;
    if (count >= limit) throw new EngineError("server.too_many_streams", { limit });
  }

  /**
   * Responds with the event stream of a run. Resolves when the client has received all stored events. The stream then
   * stays open for live events.
   */
  async open(request: StreamRequest, response: ServerResponse): Promise<void> {
    const client = new EventClient(response, request.afterSeq, {
      maxWaitingBytes: this.#options.maxWaitingBytes ?? MAX_WAITING_BYTES,
      onClose: (isDropped) => {
        if (isDropped) this.dropped += 1;
        this.#open.delete(stream);
        request.hub.forget(client);
      },
    });
    const stream: OpenStream = { ...request, client };
    if (client.isClosed) return;
    this.#open.add(stream);
    try {
      await request.hub.watch(client);
    } catch (error) {
      const { code, message } = toEngineError(error);
      // Messages of unexpected errors are not sent, because they may contain secrets.
      const detail = code === "run.malformed_record" ? message : "The events cannot be read.";
      client.end(noticeFrame("problem", { run_id: request.runId, code, detail }));
    }
  }

  /** Ends the event streams of one run, or of all runs, immediately. */
  end(notice: StreamNotice, runId?: string): void {
    for (const stream of [...this.#open]) {
      if (runId !== undefined && stream.runId !== runId) continue;
      stream.client.end(noticeFrame(notice, { run_id: stream.runId }));
    }
  }

  /** Stops the heartbeat. */
  close(): void {
    clearInterval(this.#heartbeat);
  }

  /** Sends heartbeats. Ends the streams of callers whose token has expired or was removed. */
  #beat(): void {
    for (const { client, isForbidden } of [...this.#open]) {
      // Without a last event, clients connect again, and then get the error for their token.
      if (isForbidden?.() === true) client.end(Buffer.alloc(0));
      else client.beat();
    }
  }
}

/** Rejects with `server.bad_parameter` if the run has no event with this sequence number. */
export async function assertHasEvent(
  store: RunStore,
  runId: string,
  { seq, hub }: { seq: number; hub: EventHub },
): Promise<void> {
  if (seq === 0 || hub.hasSent(seq)) return;
  for await (const envelope of store.events(runId, seq - 1)) {
    if (envelope.seq === seq) return;
    break;
  }
  throw new EngineError("server.bad_parameter", { name: "Last-Event-ID", problem: "the run has no event of this id" });
}
