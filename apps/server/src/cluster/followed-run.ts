import type { Envelope, RunCluster, RunIncrement, RunStatus } from "@switchyard/contracts";
import type { LiveRun } from "../runs/run-dispatcher.ts";
import { RunProgress } from "../runs/run-progress.ts";
import { noticeFrame } from "../stream/event-frame.ts";
import { EventHub } from "../stream/event-hub.ts";

/** Maximum number of attempts to read the last events of a run. */
const READINGS = 50;
/** Wait between two attempts, in milliseconds. */
const PAUSE_MS = 100;

/**
 * Maximum number of increments (unstored pieces of output) that wait for earlier events. Further increments are
 * dropped.
 */
const MAX_HELD = 1_000;

/** What {@link FollowedRun} needs. */
interface FollowParts {
  /** Connection to the cluster. */
  readonly cluster: RunCluster;
  /** Called with errors of the connection. */
  readonly onError: (error: unknown) => void;
}

/** Run of another process whose events this server receives from the broker and sends to its clients. */
export class FollowedRun {
  /** The run, with the hub to which clients connect. */
  readonly live: LiveRun;
  readonly #cluster: RunCluster;
  readonly #stop = new AbortController();
  readonly #reading: Promise<void>;
  /**
   * Sequence number of the last event that clients can receive, from the store or from the hub. Initially that of the
   * last stored event; increases with each event that is sent to the hub.
   */
  #lastSeq: number;
  /** Sequence number of the last event of the run. 0 until the run has ended. */
  #endSeq = 0;
  /** Increments (unstored pieces of output) that wait until the stored events before them have arrived. */
  #held: RunIncrement[] = [];

  private constructor(
    live: LiveRun,
    parts: FollowParts,
    events: { afterSeq: number; stream: AsyncIterable<Envelope> },
  ) {
    this.live = live;
    this.#cluster = parts.cluster;
    this.#lastSeq = events.afterSeq;
    this.#reading = this.#read(events.stream).catch(parts.onError);
  }

  /** Starts to follow a run. Resolves when no later event can be missed. */
  static async open(
    { runId, owner }: { readonly runId: string; readonly owner: string },
    parts: FollowParts,
  ): Promise<FollowedRun> {
    const { cluster } = parts;
    const live = { runId, owner, hub: new EventHub(runId, cluster.store), progress: new RunProgress() };
    const stop = new AbortController();
    const { afterSeq, events } = await cluster.followEvents(runId, { signal: stop.signal });
    const run = new FollowedRun(live, parts, { afterSeq, stream: events });
    const stopIncrements = cluster.onIncrement(runId, (increment) => run.#show(increment));
    const end = (): void => {
      stop.abort();
      stopIncrements();
    };
    run.#stop.signal.addEventListener("abort", end, { once: true });
    return run;
  }

  /**
   * Sends an increment (an unstored piece of output) to the clients if they have received exactly the stored events
   * before it. If earlier events are missing, the increment waits for them. If later events were sent, it is dropped,
   * because one of them contains its text.
   */
  #show(increment: RunIncrement): void {
    const { afterSeq, event } = increment;
    if (afterSeq === this.#lastSeq) void this.live.hub.publish(event);
    else if (afterSeq > this.#lastSeq && this.#held.length < MAX_HELD) this.#held.push(increment);
  }

  #showHeld(): void {
    if (this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    for (const increment of held) this.#show(increment);
  }

  /**
   * Sends the remaining stored events to the clients and ends their streams. If the events cannot be read, disconnects
   * the clients: each of them connects again and continues after its last event.
   */
  async end(status: RunStatus): Promise<void> {
    this.stop();
    await this.#reading;
    const { runId, hub } = this.live;
    try {
      await this.#readRest();
    } catch (error) {
      hub.drop();
      throw error;
    }
    if (this.#lastSeq < this.#endSeq) hub.drop();
    else hub.end(noticeFrame("end", { run_id: runId, status }));
  }

  /**
   * Reads events up to the last stored one. Several attempts may be necessary, because the replica of the broker from
   * which this server reads may lag behind.
   */
  async #readRest(): Promise<void> {
    const { runId } = this.live;
    const { afterSeq: last } = await this.#cluster.followEvents(runId, { signal: AbortSignal.abort() });
    this.#endSeq = last;
    for (let attempt = 0; this.#lastSeq < last && attempt < READINGS; attempt += 1) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      await this.#publish(this.#cluster.store.events(runId, this.#lastSeq));
    }
  }

  /** Stops following the run. */
  stop(): void {
    this.#stop.abort();
  }

  async #read(events: AsyncIterable<Envelope>): Promise<void> {
    await this.#publish(events);
  }

  async #publish(events: AsyncIterable<Envelope>): Promise<void> {
    const { hub, progress } = this.live;
    for await (const envelope of events) {
      await progress.publish(envelope);
      await hub.publish(envelope);
      this.#lastSeq = envelope.seq ?? this.#lastSeq;
      this.#showHeld();
    }
  }
}
