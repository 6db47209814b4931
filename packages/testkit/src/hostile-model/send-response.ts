import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HostileFault } from "./hostile-fault.ts";
import type { SentBytes } from "./sent-bytes.ts";

/** Options for sending a response. */
export interface SendOptions {
  readonly sent: SentBytes;
  readonly fault: HostileFault | undefined;
  readonly isStreamed: boolean;
  /** Function that waits between chunks. `undefined`: no pauses. */
  readonly pause: (() => Promise<void>) | undefined;
  /** Called when the server has stalled. The signal aborts when the client disconnects. */
  readonly onStall: (clientGone: AbortSignal) => void;
}

/** Resolves in the next event loop turn, so that chunks are sent separately. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function writeAll(target: ServerResponse | Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    target.write(bytes, () => resolve());
  });
}

function stall(response: ServerResponse, onStall: (clientGone: AbortSignal) => void): void {
  const clientGone = new AbortController();
  if (response.destroyed || response.socket === null) clientGone.abort();
  response.once("close", () => clientGone.abort());
  onStall(clientGone.signal);
}

function breakOff(response: ServerResponse, isReset: boolean): void {
  if (isReset) response.socket?.resetAndDestroy();
  else response.socket?.destroySoon();
}

/** Stops a response as its fault requires: closes or resets the connection, or stalls. */
function stop(response: ServerResponse, { fault, onStall }: SendOptions): void {
  if (fault?.kind === "stall") stall(response, onStall);
  else breakOff(response, fault?.kind === "break" && fault.isReset);
}

/** Sends nothing at all, or only a part of the response headers. */
async function sendNothing(response: ServerResponse, options: SendOptions): Promise<void> {
  const { fault, isStreamed } = options;
  const type = isStreamed ? "text/event-stream" : "application/json";
  const headers = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`);
  const isHeaders = (fault?.kind === "break" || fault?.kind === "stall") && fault.at === "headers";
  const share = isHeaders ? fault.share : 0;
  const { socket } = response;
  if (socket !== null && share > 0) {
    await writeAll(socket, headers.subarray(0, Math.floor(share * (headers.length - 1))));
  }
  stop(response, options);
}

/** Sends a response, up to the position at which its fault stops it. */
export async function sendResponse(response: ServerResponse, options: SendOptions): Promise<void> {
  const { sent, fault, isStreamed, pause } = options;
  const hasPosition = fault?.kind === "break" || fault?.kind === "stall";
  if (hasPosition && (fault.at === "request" || fault.at === "headers")) {
    await sendNothing(response, options);
    return;
  }
  response.writeHead(
    200,
    isStreamed
      ? { "content-type": "text/event-stream" }
      : { "content-type": "application/json", "content-length": sent.length },
  );
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  for (const piece of sent.chunks) {
    if (response.destroyed) return;
    await writeAll(response, piece);
    await (pause ?? nextTurn)();
  }
  if (hasPosition) stop(response, options);
  else response.end();
}

/** Rejects a request. */
export function sendStatus(
  response: ServerResponse,
  fault: Extract<HostileFault, { kind: "status" }>,
  { body, nowMs }: { readonly body: object; readonly nowMs: number },
): void {
  const { status, retryAfter, isHtml = false } = fault;
  const date = new Date(nowMs + (retryAfter?.seconds ?? 0) * 1_000).toUTCString();
  const retryAfterText =
    retryAfter === undefined ? undefined : retryAfter.form === "date" ? date : `${retryAfter.seconds}`;
  response.writeHead(status, {
    "content-type": isHtml ? "text/html" : "application/json",
    ...(retryAfterText === undefined ? {} : { "retry-after": retryAfterText }),
  });
  response.end(isHtml ? `<html><body><h1>${status}</h1></body></html>` : JSON.stringify(body));
}
