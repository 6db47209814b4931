import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { addressOf } from "./address-of.ts";
import type { FetchConnections } from "./fetch-connections.ts";
import { HttpResponse } from "./http-response.ts";
import { PlainHeaders } from "./plain-headers.ts";

/**
 * Idle time before a connection is closed, in milliseconds. Shorter than the idle time of most servers, which could
 * otherwise close the connection just as a request is sent.
 */
const IDLE_MS = 4_000;
/** Maximum number of bytes of a response buffered for the consumer. */
const MAX_AHEAD = 65_536;
/** HTTP statuses whose responses have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Common interface of the modules for http: and https:. */
interface Protocol {
  readonly Agent: typeof Agent;
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
}

/** The module of a protocol, http: or https:, and the agent that holds the protocol's open connections. */
interface Connections {
  readonly protocol: Protocol;
  readonly agent: Agent;
}

/**
 * Creates a `fetch` on `node:http`, for requests with a text body or none. Redirects are not followed. Replaces Node's
 * own `fetch`, which compiles a parser on first use and thereby takes longer than the rest of a short run. Failures
 * have the same format as in Node's `fetch`: an error with the message `fetch failed` or `terminated`, and the
 * connection's error as cause.
 */
export function openHttpFetch({ connectMs }: { connectMs: number }): FetchConnections {
  const opened = new Map<string, Promise<Connections>>();
  return {
    fetch: async (input, init = {}) => {
      init.signal?.throwIfAborted();
      const url = new URL(addressOf(input));
      const known = opened.get(url.protocol);
      const connections = known ?? openConnections(url);
      if (known === undefined) opened.set(url.protocol, connections);
      return send(url, { init, connectMs, connections: await connections });
    },
    close: async () => {
      for (const connections of opened.values()) (await connections).agent.destroy();
      opened.clear();
    },
  };
}

async function openConnections({ protocol: name }: URL): Promise<Connections> {
  const protocol: Protocol = name === "https:" ? await import("node:https") : await import("node:http");
  return { protocol, agent: new protocol.Agent({ keepAlive: true, timeout: IDLE_MS }) };
}

interface Sending {
  readonly init: RequestInit;
  readonly connectMs: number;
  readonly connections: Connections;
}

function send(url: URL, { init, connectMs, connections }: Sending): Promise<Response> {
  const { method = "GET", headers, body = null, signal } = init;
  if (body !== null && typeof body !== "string") throw new TypeError("only text can be sent");
  // The client requests uncompressed data, because decompressing chunk by chunk costs time.
  // Servers may send compressed data anyway.
  const sent = { "accept-encoding": "identity", ...Object.fromEntries(new PlainHeaders(headers)) };
  return new Promise((resolve, reject) => {
    const request = connections.protocol.request(url, { method, headers: sent, agent: connections.agent });
    watchConnecting(request, connectMs);
    const abort = (): void => void request.destroy(asError(signal?.reason));
    signal?.addEventListener("abort", abort, { once: true });
    request.once("close", () => signal?.removeEventListener("abort", abort));
    request.on("error", (cause) =>
      reject(signal?.aborted === true ? signal.reason : failedWith("fetch failed", cause)),
    );
    request.once("response", (answer) => {
      try {
        resolve(toResponse(answer, { url: url.href, signal: signal ?? undefined }));
      } catch (error) {
        request.destroy();
        reject(error);
      }
    });
    request.end(body ?? undefined);
  });
}

/** Aborts a request whose connection, TLS handshake included, takes too long. */
function watchConnecting(request: ClientRequest, connectMs: number): void {
  request.once("socket", (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error("no connection in time"), { code: "CONNECT_TIMEOUT" }));
    }, connectMs);
    const stop = (): void => clearTimeout(timer);
    socket.once("encrypted" in socket ? "secureConnect" : "connect", stop);
    socket.once("close", stop);
  });
}

/**
 * Converts a Node.js response to a `Response`. Synchronous, because a failure of the response before a listener is
 * attached would be missed.
 */
function toResponse(
  answer: IncomingMessage,
  { url, signal }: { url: string; signal: AbortSignal | undefined },
): Response {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = answer;
  const headers = new PlainHeaders();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  if (BODILESS.has(status)) {
    answer.resume();
    return new HttpResponse(null, { url, status, statusText, headers });
  }
  const bytes = unpacked(answer, headers.get("content-encoding")?.trim().toLowerCase() ?? "");
  return new HttpResponse(toBody(bytes, { answer, signal }), { url, status, statusText, headers });
}

/** Decompresses a response. An unknown encoding is passed through unchanged. */
function unpacked(answer: IncomingMessage, encoding: string): Readable {
  if (!["br", "gzip", "x-gzip", "deflate"].includes(encoding)) return answer;
  const unpacking = encoding === "br" ? createBrotliDecompress() : createUnzip();
  answer.on("error", (error) => unpacking.destroy(error));
  unpacking.on("error", () => answer.destroy());
  return answer.pipe(unpacking);
}

/** Returns the body's bytes as they arrive. Cancelling closes the connection. */
function toBody(
  bytes: Readable,
  { answer, signal }: { answer: IncomingMessage; signal: AbortSignal | undefined },
): ReadableStream<Uint8Array> {
  let isClosed = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        bytes.on("data", (piece: Buffer) => {
          if (isClosed) return;
          controller.enqueue(piece);
          if ((controller.desiredSize ?? 0) <= 0) bytes.pause();
        });
        bytes.once("end", () => {
          if (!isClosed) controller.close();
        });
        bytes.once("error", (cause) => {
          if (!isClosed) controller.error(signal?.aborted === true ? signal.reason : failedWith("terminated", cause));
        });
      },
      pull: () => void bytes.resume(),
      cancel() {
        isClosed = true;
        answer.destroy();
      },
    },
    { highWaterMark: MAX_AHEAD, size: (piece) => piece?.byteLength ?? 0 },
  );
}

/** Creates an error in the format of `fetch`. */
function failedWith(message: string, cause: Error): TypeError {
  return new TypeError(message, { cause });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("it was stopped", { cause: reason });
}
