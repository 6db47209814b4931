import { Duplex } from "node:stream";
import { CONNECTION_WINDOW, type FrameKind, MAX_FRAME_BYTES } from "./connection-frame.ts";

/** Sends a frame of one connection to the relay. Resolves when the relay's input has accepted the frame. */
export type SendFrame = (kind: FrameKind, payload?: Uint8Array | string) => Promise<void>;

/** This process's end of a connection that a relay has accepted. Buffers at most one window in each direction. */
export class RelayedConnection extends Duplex {
  readonly #send: SendFrame;
  /** Number of bytes that the relay may still send. */
  #receivable = CONNECTION_WINDOW;
  /**
   * Number of received bytes that were not yet reported to the relay as read. Once they are reported, the relay may
   * send the same number of bytes in addition.
   */
  #owed = 0;
  /** Number of bytes that this side may still send. */
  #sendable = CONNECTION_WINDOW;
  #onCredit: (() => void) | undefined;
  /** True if the relay has announced the end of the data. */
  #hasEnded = false;
  #isClosedByRelay = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(send: SendFrame) {
    super({ allowHalfOpen: true });
    this.#send = send;
  }

  /** Handles a frame of the relay. An invalid frame closes the connection. */
  receive(kind: string, payload: Buffer): void {
    if (kind === "d") this.#receiveData(payload);
    else if (kind === "e") this.#receiveEnd();
    else if (kind === "w") this.#receiveCredit(Number(payload.toString("latin1")));
    else if (kind === "c") this.closeByRelay();
    else this.destroy();
  }

  /** Closes the connection because the relay has closed it, or has ended. */
  closeByRelay(): void {
    this.#isClosedByRelay = true;
    this.#onCredit?.();
    // If the relay has sent all data, the part that was not read yet can still be read.
    if (this.#hasEnded && !this.readableEnded) this.once("end", () => this.destroy());
    else this.destroy();
  }

  /**
   * Emits `timeout` after a time without data in either direction, in milliseconds. 0: never. An HTTP server sets this
   * time for connections between two requests, as on a `Socket`.
   */
  setTimeout(idleMs: number): this {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = idleMs > 0 ? setTimeout(() => this.emit("timeout"), idleMs).unref() : undefined;
    return this;
  }

  override _read(): void {
    const owed = this.#owed;
    if (owed === 0) return;
    this.#owed = 0;
    this.#receivable += owed;
    void this.#sendFrame("w", String(owed));
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#idleTimer?.refresh();
    this.#writeAll(chunk).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#sendFrame("e").then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.setTimeout(0);
    if (!this.#isClosedByRelay) void this.#sendFrame("c");
    this.#onCredit?.();
    done(error);
  }

  #receiveData(payload: Buffer): void {
    this.#idleTimer?.refresh();
    this.#receivable -= payload.length;
    if (this.#receivable < 0 || this.#hasEnded) return void this.destroy();
    this.#owed += payload.length;
    // A stream that wants more calls `_read` again.
    this.push(payload);
  }

  #receiveEnd(): void {
    if (this.#hasEnded) return void this.destroy();
    this.#hasEnded = true;
    this.push(null);
  }

  #receiveCredit(count: number): void {
    if (!Number.isSafeInteger(count) || count < 0 || this.#sendable + count > CONNECTION_WINDOW) {
      return void this.destroy();
    }
    this.#sendable += count;
    this.#onCredit?.();
  }

  async #writeAll(chunk: Buffer): Promise<void> {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.destroyed || this.#isClosedByRelay) throw new Error("the connection is closed");
      if (this.#sendable === 0) {
        await new Promise<void>((resolve) => {
          this.#onCredit = resolve;
        });
        this.#onCredit = undefined;
        continue;
      }
      const end = offset + Math.min(this.#sendable, MAX_FRAME_BYTES, chunk.length - offset);
      this.#sendable -= end - offset;
      await this.#send("d", chunk.subarray(offset, end));
      offset = end;
    }
  }

  /** Sends a frame. A relay that has ended needs none, so a failure is ignored. */
  #sendFrame(kind: FrameKind, payload?: string): Promise<void> {
    return this.#send(kind, payload).catch(() => {});
  }
}
