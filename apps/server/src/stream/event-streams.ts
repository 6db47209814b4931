import type { ServerResponse } from "node:http";
import { EngineError, type RunStore, toEngineError } from "@switchyard/contracts";
import { EventClient } from "./event-client.ts";
import { noticeFrame, type StreamNotice } from "./event-frame.ts";
import type { EventHub } from "./event-hub.ts";

/** Streams of one caller. */
const MAX_PER_OWNER = 50;
/** Bytes that wait for one client. */
const MAX_WAITING_BYTES = 1024 * 1024;
const HEARTBEAT_MS = 15_000;

/** How streams are kept. */
export interface EventStreamOptions {
  /** Most streams of one caller; 50 by default. */
  readonly maxPerOwner?: number | undefined;
  /** Most bytes that wait for one client, beyond which it is dropped; 1 MiB by default. */
  readonly maxWaitingBytes?: number | undefined;
  /** Milliseconds between two signs of life; 15,000 by default. */
  readonly heartbeatMs?: number | undefined;
}

/** Who wants to see which events. */
export interface StreamRequest {
  /** Id of the run. */
  readonly runId: string;
  /** Who watches. */
  readonly owner: string;
  /** Number of the last event that they have; 0 for all. */
  readonly afterSeq: number;
  /** Where the events come from. */
  readonly hub: EventHub;
}

interface OpenStream extends StreamRequest {
  readonly client: EventClient;
}

/** All event streams of a server. */
export class EventStreams {
  readonly #open = new Set<OpenStream>();
  readonly #options: EventStreamOptions;
  readonly #heartbeat: NodeJS.Timeout;
  /** Clients that were too slow so far. */
  dropped = 0;

  constructor(options: EventStreamOptions = {}) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs ?? HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Number of streams that are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Whether somebody is being told of a run. */
  isWatched(runId: string): boolean {
    for (const stream of this.#open) if (stream.runId === runId) return true;
    return false;
  }

  /** Refuses one stream too many. Throws `server.too_many_streams`. */
  assertRoom(owner: string): void {
    const limit = this.#options.maxPerOwner ?? MAX_PER_OWNER;
    const count = [...this.#open].filter((stream) => stream.owner === owner).length;
    if (count >= limit) throw new EngineError("server.too_many_streams", { limit });
  }

  /** Answers with the events of a run. Resolves when the client is caught up; the stream goes on by itself. */
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
      // What nobody foresaw may quote anything.
      const detail = code === "run.malformed_record" ? message : "The events cannot be read.";
      client.end(noticeFrame("problem", { run_id: request.runId, code, detail }));
    }
  }

  /** Ends the streams of a run, or all, at once. */
  end(notice: StreamNotice, runId?: string): void {
    for (const stream of [...this.#open]) {
      if (runId !== undefined && stream.runId !== runId) continue;
      stream.client.end(noticeFrame(notice, { run_id: stream.runId }));
    }
  }

  /** Beats no more. */
  close(): void {
    clearInterval(this.#heartbeat);
  }

  #beat(): void {
    for (const { client } of this.#open) client.beat();
  }
}

/** Refuses the number of an event that the run does not have. Rejects with `server.bad_parameter`. */
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
