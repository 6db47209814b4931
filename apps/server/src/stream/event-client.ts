import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Maximum time in which a lagging client reads nothing, in milliseconds. */
const STALL_MS = 30_000;
/** Maximum number of bytes queued for a client that has caught up with the log. Beyond it, reading the log pauses. */
const AHEAD_BYTES = 256 * 1024;
const HEARTBEAT = Buffer.from(":\n\n");
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Proxies would buffer small responses.
  "x-accel-buffering": "no",
  connection: "close",
} as const;

/** Options of a client. */
export interface EventClientOptions {
  /** Maximum number of queued bytes. Beyond it, the client is dropped. */
  readonly maxWaitingBytes: number;
  /** Called once when the client is gone, with whether it was dropped. */
  readonly onClose: (isDropped: boolean) => void;
  /** Milliseconds after which a client that reads nothing is dropped. Default: 30,000. */
  readonly stallMs?: number | undefined;
}

/**
 * One client of an event stream. Its frames are written directly to the socket, without HTTP framing; the stream ends
 * with the connection. Contract: its queue is limited and does not affect other clients. D13.
 */
export class EventClient {
  /** Number of the last stored event sent to it. */
  position: number;
  readonly #socket: Socket;
  readonly #options: EventClientOptions;
  #isClosed = false;
  #isEnding = false;
  #isHeld = false;

  constructor(response: ServerResponse, position: number, options: EventClientOptions) {
    const { socket } = response;
    if (socket === null) throw new Error("The connection is gone.");
    this.position = position;
    this.#socket = socket;
    this.#options = options;
    // The end of the connection ends the response, so no length is needed.
    response.removeHeader("transfer-encoding");
    response.writeHead(200, HEADERS);
    response.flushHeaders();
    socket.setNoDelay(true);
    socket.once("close", () => this.#close(false));
    if (socket.destroyed) this.#close(false);
  }

  /** True if it is gone or closing. */
  get isClosed(): boolean {
    return this.#isClosed || this.#isEnding;
  }

  /** Sends a frame; the frame of a stored event has its number. Events that the client already has are skipped. */
  send(frame: Buffer, seq?: number): void {
    if (this.isClosed) return;
    if (seq !== undefined) {
      if (seq <= this.position) return;
      this.position = seq;
    }
    if (this.#socket.writableLength > this.#options.maxWaitingBytes) this.drop();
    else this.#socket.write(frame);
  }

  /** Buffers frames until {@link EventClient.release}, so that simultaneous events are sent together. */
  hold(): void {
    if (this.#isHeld || this.isClosed) return;
    this.#isHeld = true;
    this.#socket.cork();
  }

  /** Sends the buffered frames. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#socket.uncork();
  }

  /** Sends a heartbeat. */
  beat(): void {
    this.send(HEARTBEAT);
  }

  /** Resolves when there is space for more of the log, or when the client is gone. */
  async ready(): Promise<void> {
    const aheadBytes = Math.min(AHEAD_BYTES, this.#options.maxWaitingBytes / 2);
    if (this.isClosed || this.#socket.writableLength <= aheadBytes || !this.#socket.writableNeedDrain) return;
    const timer = setTimeout(() => this.drop(), this.#options.stallMs ?? STALL_MS);
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#socket.off("drain", done).off("close", done);
        resolve();
      };
      this.#socket.once("drain", done).once("close", done);
    });
    clearTimeout(timer);
  }

  /** Sends the last frame and closes the connection. */
  end(frame: Buffer): void {
    if (this.isClosed) return;
    this.#isEnding = true;
    this.#socket.end(frame);
    // A client that does not read it must not delay the server.
    const timer = setTimeout(() => this.#socket.destroy(), this.#options.stallMs ?? STALL_MS);
    timer.unref();
    this.#socket.once("close", () => clearTimeout(timer));
  }

  /** Drops a slow client. It can reconnect after its last event. */
  drop(): void {
    if (this.#isClosed) return;
    this.#close(true);
    this.#socket.destroy();
  }

  #close(isDropped: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.onClose(isDropped);
  }
}
