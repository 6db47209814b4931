import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Time after which a client that does not read available data is disconnected, in milliseconds. */
const STALL_MS = 30_000;
/**
 * Maximum number of bytes that are buffered for a client while it receives stored events. Above it, reading of stored
 * events pauses.
 */
const AHEAD_BYTES = 256 * 1024;
const HEARTBEAT = Buffer.from(":\n\n");
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Response header that prevents proxies from buffering small events.
  "x-accel-buffering": "no",
  connection: "close",
} as const;

/** Options of an `EventClient`. */
export interface EventClientOptions {
  /** Maximum number of bytes buffered for the client. Above it, the client is disconnected. */
  readonly maxWaitingBytes: number;
  /**
   * Called once when the client's connection has closed. `isDropped` is true if the server closed it because the client
   * was too slow.
   */
  readonly onClose: (isDropped: boolean) => void;
  /** Time after which a client that does not read available data is disconnected, in milliseconds. Default: 30,000. */
  readonly stallMs?: number | undefined;
}

/**
 * Client of an event stream. Data is written directly to the client's socket, without chunked encoding, and the stream
 * ends when the connection closes. Contract: the buffer of a client is limited, and a slow client does not affect
 * others. See durability promise D13.
 */
export class EventClient {
  /** Sequence number of the last stored event that was sent to the client. */
  position: number;
  readonly #socket: Socket;
  readonly #options: EventClientOptions;
  #isClosed = false;
  #isEnding = false;
  #isPaused = false;

  constructor(response: ServerResponse, position: number, options: EventClientOptions) {
    const { socket } = response;
    if (socket === null) throw new Error("The connection is gone.");
    this.position = position;
    this.#socket = socket;
    this.#options = options;
    // The response ends when the connection closes, so it needs neither `Content-Length` nor chunked encoding.
    response.removeHeader("transfer-encoding");
    response.writeHead(200, HEADERS);
    response.flushHeaders();
    socket.setNoDelay(true);
    socket.once("close", () => this.#close(false));
    if (socket.destroyed) this.#close(false);
  }

  /** True if the client has disconnected or the stream is ending. */
  get isClosed(): boolean {
    return this.#isClosed || this.#isEnding;
  }

  /**
   * Sends a server-sent event to the client. `seq` is the sequence number if the event is stored. Events that the
   * client already has are skipped.
   */
  send(frame: Buffer, seq?: number): void {
    if (this.isClosed) return;
    if (seq !== undefined) {
      if (seq <= this.position) return;
      this.position = seq;
    }
    if (this.#socket.writableLength > this.#options.maxWaitingBytes) this.drop();
    else this.#socket.write(frame);
  }

  /** Buffers data until {@link EventClient.release}, so that events of the same event loop turn are sent together. */
  hold(): void {
    if (this.#isPaused || this.isClosed) return;
    this.#isPaused = true;
    this.#socket.cork();
  }

  /** Sends the buffered frames. */
  release(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket.uncork();
  }

  /** Sends a heartbeat. */
  beat(): void {
    this.send(HEARTBEAT);
  }

  /** Resolves when the buffer has space for more stored events, or when the client has disconnected. */
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

  /** Sends the last server-sent event and closes the connection. */
  end(frame: Buffer): void {
    if (this.isClosed) return;
    this.#isEnding = true;
    this.#socket.end(frame);
    // A client that does not read the last event must not delay the shutdown of the server.
    const timer = setTimeout(() => this.#socket.destroy(), this.#options.stallMs ?? STALL_MS);
    timer.unref();
    this.#socket.once("close", () => clearTimeout(timer));
  }

  /** Closes the connection of a slow client. The client can reconnect and continue after its last event. */
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
