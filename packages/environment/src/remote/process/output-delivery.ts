/** Function that receives bytes. If it returns a promise, the stream waits for the promise. */
export type ByteSink = (chunk: Buffer) => void | Promise<void>;

/** Delivers the output of a command to its consumer, in order. Buffers the output while there is no consumer. */
export class OutputDelivery {
  readonly #isStarted: () => boolean;
  readonly #ready: Buffer[] = [];
  #sink: ByteSink | undefined;
  #wake: () => void = () => {};
  #isSending = false;
  #delivering: Promise<void> = Promise.resolve();

  /** Creates a delivery without a consumer. `isStarted` returns whether the command is known to have started. */
  constructor(isStarted: () => boolean) {
    this.#isStarted = isStarted;
  }

  /** True if bytes are waiting for a consumer, or if the consumer is still processing bytes. */
  get isBlocked(): boolean {
    return this.#isSending || (this.#ready.length > 0 && this.#isStarted());
  }

  /** Adds output. It is delivered with the next call of `deliver`. */
  push(chunk: Buffer): void {
    this.#ready.push(chunk);
  }

  /** Sets the consumer and delivers the buffered output to it. */
  take(sink: ByteSink): void {
    this.#sink = sink;
    this.#wake();
    this.deliver().catch(() => {});
  }

  /**
   * Resolves when the consumer has received all output. If there is no consumer, waits for one, unless the command has
   * not started yet.
   */
  deliver(): Promise<void> {
    this.#delivering = this.#delivering.then(() => this.#deliverAll());
    return this.#delivering;
  }

  async #deliverAll(): Promise<void> {
    for (let chunk = this.#ready.shift(); chunk !== undefined; chunk = this.#ready.shift()) {
      if (this.#sink === undefined) {
        this.#ready.unshift(chunk);
        if (!this.#isStarted()) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else {
        this.#isSending = true;
        await this.#sink(chunk);
        this.#isSending = false;
      }
    }
  }
}
