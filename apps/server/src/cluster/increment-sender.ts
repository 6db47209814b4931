import type { Envelope, Publisher, RunCluster, RunIncrement } from "@switchyard/contracts";

/** If no server follows the run, increments (unstored pieces of output) are dropped for this time, in milliseconds. */
const PAUSE_MS = 2_000;
/**
 * While earlier increments (unstored pieces of output) wait for their reply, at most this many further ones are kept.
 * The rest is dropped.
 */
const MAX_WAITING = 1_000;

/** Options of `IncrementSender`. */
interface IncrementSenderOptions {
  /** Connection to the cluster. */
  readonly cluster: Pick<RunCluster, "sendIncrements">;
  /** Id of the run. */
  readonly runId: string;
  /** Sequence number of the last stored event of the run. */
  readonly lastSeq: () => number;
  /** Monotonic clock, in milliseconds. Default: that of this process. */
  readonly monotonic?: (() => number) | undefined;
}

/**
 * Sends the events of a run that are not stored, such as pieces of text, to the servers that follow the run. While a
 * message is on its way, further pieces wait. They are sent together when the reply arrives, or before the next event
 * is stored. If no server follows the run, all pieces of the next two seconds are dropped, so that a run without
 * watchers costs almost nothing.
 */
export class IncrementSender implements Publisher {
  readonly #options: IncrementSenderOptions;
  #waiting: RunIncrement[] = [];
  #isSending = false;
  #pausedUntilMs = 0;
  #afterSeq: number | undefined;

  constructor(options: IncrementSenderOptions) {
    this.#options = options;
  }

  /** Sends an event that has no sequence number. Never waits. */
  async publish(event: Envelope): Promise<void> {
    if (event.seq !== undefined) {
      this.#afterSeq = event.seq;
      return;
    }
    if (this.#now() < this.#pausedUntilMs || this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push({ afterSeq: this.#afterSeq ?? this.#options.lastSeq(), event });
    if (!this.#isSending) void this.#send();
  }

  /**
   * Sends waiting increments (unstored pieces of output) without waiting for the reply to earlier ones. Called before
   * an event is stored: servers drop increments that arrive after a later stored event.
   */
  flush(): void {
    const increments = this.#waiting;
    this.#waiting = [];
    if (increments.length > 0) void this.#deliver(increments);
  }

  #now(): number {
    return (this.#options.monotonic ?? (() => performance.now()))();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      const increments = this.#waiting;
      this.#waiting = [];
      await this.#deliver(increments);
    }
    this.#isSending = false;
  }

  /** Sends increments, and drops further ones for a while if no server follows the run. Never rejects. */
  async #deliver(increments: readonly RunIncrement[]): Promise<void> {
    const { cluster, runId } = this.#options;
    // A failure is treated like a run without watchers. No data is lost, because increments only preview stored events.
    if (await cluster.sendIncrements(runId, increments).catch(() => false)) return;
    this.#pausedUntilMs = this.#now() + PAUSE_MS;
    this.#waiting = [];
  }
}
