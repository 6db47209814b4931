import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Limits of two connections that pass data to each other, and the bytes that were already read from them. */
export interface JoinOptions {
  /** Bytes that were already read from the client. They are sent to the server before all others. */
  readonly fromClient: Uint8Array;
  /** Bytes that were already read from the server. They are sent to the client before all others. */
  readonly fromServer: Uint8Array;
  /** Number of bytes that were already sent, in both directions. */
  readonly sentBytes: number;
  /** Maximum time without data in either direction, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Counts transferred bytes. Returns false if they exceed the limit, which closes both connections. */
  count(bytes: number): boolean;
  /** Called once if `count` returned false. */
  onLimit(): void;
}

/** Passes data between two connections in both directions until both have ended, one fails, or a limit is reached. */
export function joinSockets(
  client: Duplex,
  upstream: Socket,
  { fromClient, fromServer, sentBytes, idleTimeoutMs, count, onLimit }: JoinOptions,
): void {
  let isOver = false;
  const close = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(idle);
    client.destroy();
    upstream.destroy();
  };
  const idle = setTimeout(close, idleTimeoutMs);
  const onBytes = (bytes: number): void => {
    idle.refresh();
    if (count(bytes) || isOver) return;
    close();
    onLimit();
  };
  const onData = (chunk: Uint8Array): void => onBytes(chunk.length);
  // An idle connection must not keep this process alive.
  idle.unref();
  const finishWith = (other: Duplex) => (): void => {
    // Data that is on its way to the other side still arrives there.
    if (!other.writableEnded) other.end();
    if (other.destroyed) close();
  };
  client.on("data", onData).once("error", close).once("close", finishWith(upstream));
  upstream.on("data", onData).once("error", close).once("close", finishWith(client));
  onBytes(sentBytes + fromClient.length + fromServer.length);
  if (isOver) return;
  upstream.write(fromClient);
  client.write(fromServer);
  client.pipe(upstream);
  upstream.pipe(client);
}
