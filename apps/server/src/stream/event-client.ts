import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long a client may leave what it was sent lying, in milliseconds, while it is behind. */
const STALL_MS = 30_000;
/** Bytes that may wait for a client that is caught up with the log: beyond, the log waits as well. */
const AHEAD_BYTES = 256 * 1024;
const HEARTBEAT = Buffer.from(":\n\n");
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Proxies would keep what is little.
  "x-accel-buffering": "no",
  connection: "close",
} as const;

/** How one client is written to. */
export interface EventClientOptions {
  /** Most bytes that wait for it; beyond, it is dropped. */
  readonly maxWaitingBytes: number;
  /** Told once when it is gone, and whether it was dropped. */
  readonly onClose: (isDropped: boolean) => void;
  /** Milliseconds after which a client that takes nothing is dropped; 30,000 by default. */
  readonly stallMs?: number | undefined;
}

/**
 * One client of an event stream. Its frames go to its socket as they are, without the framing of HTTP: the end of the
 * stream is the end of the connection. Contract: what waits for it is bounded, and costs nobody else anything. D13.
 */
export class EventClient {
  /** Number of the last stored event that it was sent. */
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
    // Ended by the connection, so nothing has to be said about lengths.
    response.removeHeader("transfer-encoding");
    response.writeHead(200, HEADERS);
    response.flushHeaders();
    socket.setNoDelay(true);
    socket.once("close", () => this.#close(false));
    if (socket.destroyed) this.#close(false);
  }

  /** Whether it is gone, or about to go. */
  get isClosed(): boolean {
    return this.#isClosed || this.#isEnding;
  }

  /** Sends a frame; one of a stored event has its number. What it has already is left out. */
  send(frame: Buffer, seq?: number): void {
    if (this.isClosed) return;
    if (seq !== undefined) {
      if (seq <= this.position) return;
      this.position = seq;
    }
    if (this.#socket.writableLength > this.#options.maxWaitingBytes) this.drop();
    else this.#socket.write(frame);
  }

  /** Keeps what is sent from now on until {@link EventClient.release}: events that come together leave together. */
  hold(): void {
    if (this.#isHeld || this.isClosed) return;
    this.#isHeld = true;
    this.#socket.cork();
  }

  /** Lets go what was kept. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#socket.uncork();
  }

  /** Shows that the connection is alive. */
  beat(): void {
    this.send(HEARTBEAT);
  }

  /** Resolves when there is room again for what the log has, or when the client is gone. */
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

  /** Sends the last frame, and hangs up. */
  end(frame: Buffer): void {
    if (this.isClosed) return;
    this.#isEnding = true;
    this.#socket.end(frame);
    // Who does not take it does not hold up the server.
    const timer = setTimeout(() => this.#socket.destroy(), this.#options.stallMs ?? STALL_MS);
    timer.unref();
    this.#socket.once("close", () => clearTimeout(timer));
  }

  /** Hangs up on one that is too slow: it can come back behind the last event it has. */
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
