import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { endConnection } from "../../connection/end-connection.ts";
import { asksForRetry } from "../tls/asks-for-retry.ts";
import type { ClientHelloReader, HelloResult } from "../tls/client-hello-reader.ts";

/**
 * Number of bytes of a client that are held back until the server has answered. If there are more, reading from the
 * client pauses.
 */
const MAX_HELD_BYTES = 65_536;

/** Result of reading a ClientHello. `undefined` if the client closed the connection first. */
export type ReadHello = HelloResult | { readonly problem: "timeout" } | undefined;

interface HelloSource {
  readonly reader: ClientHelloReader;
  /** Bytes that were already read from the client. */
  readonly first: Uint8Array;
  readonly timeoutMs: number;
}

/** Reads the ClientHello. Resolves with `undefined` if the client closes the connection first. */
export function readHello(client: Duplex, { reader, first, timeoutMs }: HelloSource): Promise<ReadHello> {
  return new Promise((resolve) => {
    let isOver = false;
    const finish = (result: ReadHello): void => {
      isOver = true;
      clearTimeout(timer);
      client.off("data", onData).off("end", onEnd).off("close", onEnd);
      client.pause();
      resolve(result);
    };
    const onData = (chunk: Uint8Array): void => {
      const result = reader.read(chunk);
      if (result !== undefined) finish(result);
    };
    const onEnd = (): void => {
      client.destroy();
      finish(undefined);
    };
    const timer = setTimeout(() => finish({ problem: "timeout" }), timeoutMs);
    client.on("data", onData).on("end", onEnd).on("close", onEnd);
    if (first.length > 0) onData(first);
    // A paused connection does not resume by itself when it gets a listener.
    if (!isOver) client.resume();
  });
}

/** What a client and a server have sent up to the first message of the server. */
export interface ServerStart {
  /** True if the server asks for a second ClientHello. */
  readonly isRetry: boolean;
  readonly fromServer: Uint8Array;
  readonly fromClient: Uint8Array;
}

/**
 * Waits for the first message of a server after a ClientHello. Resolves with `undefined` if a connection was closed
 * first, and ends both connections then.
 */
export function readServerStart(
  { client, upstream }: { readonly client: Duplex; readonly upstream: Socket },
  { first, idleTimeoutMs }: { readonly first: Uint8Array; readonly idleTimeoutMs: number },
): Promise<ServerStart | undefined> {
  let fromServer: Uint8Array = Buffer.alloc(0);
  let fromClient = first;
  return new Promise((resolve) => {
    const finish = (start: ServerStart | undefined): void => {
      clearTimeout(timer);
      client.off("data", onClientData).off("end", onClosed).off("close", onClosed).pause();
      upstream.off("data", onServerData).off("end", onServerEnd).off("close", onServerEnd).pause();
      resolve(start);
    };
    const onServerData = (chunk: Uint8Array): void => {
      fromServer = Buffer.concat([fromServer, chunk]);
      const isRetry = asksForRetry(fromServer);
      if (isRetry !== undefined) finish({ isRetry, fromServer, fromClient });
    };
    const onClientData = (chunk: Uint8Array): void => {
      fromClient = Buffer.concat([fromClient, chunk]);
      if (fromClient.length > MAX_HELD_BYTES) client.pause();
    };
    const onClosed = (): void => {
      client.destroy();
      upstream.destroy();
      finish(undefined);
    };
    const onServerEnd = (): void => {
      upstream.destroy();
      finish(undefined);
      endConnection(client, fromServer);
    };
    const timer = setTimeout(onClosed, idleTimeoutMs);
    // An idle connection must not keep this process alive.
    timer.unref();
    client.on("data", onClientData).on("end", onClosed).on("close", onClosed).resume();
    upstream.on("data", onServerData).on("end", onServerEnd).on("close", onServerEnd).resume();
    // A connection that was destroyed before emits no further event.
    if (client.destroyed) onClosed();
    else if (upstream.destroyed) onServerEnd();
  });
}
