import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** Server whose responses the test defines. */
export interface Peer {
  readonly url: string;
  /** Received requests, in order. */
  readonly asked: { readonly line: string; readonly headers: IncomingMessage["headers"]; readonly body: string }[];
}

/**
 * Function that sends a response. A peer calls its functions in order, one for each request, and repeats the last one.
 */
export type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

/** Starts a server with these responses, which is closed after the test. */
export async function openPeer(...answers: readonly Answer[]): Promise<Peer> {
  const asked: Peer["asked"] = [];
  let next = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      asked.push({
        ...{ line: `${request.method} ${request.url}`, headers: request.headers },
        body: Buffer.concat(chunks).toString("utf8"),
      });
      const answer = answers[Math.min(next, answers.length - 1)];
      next += 1;
      answer?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, asked };
}

/** Creates a JSON response. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Creates an error response. */
export function problem(status: number, code: string, more: object = {}): Answer {
  const body = {
    type: "about:blank",
    title: "No",
    status,
    detail: "It is not so.",
    code,
    remedy: "Do that.",
    retryable: false,
  };
  return json(status, { ...body, ...more });
}

/** Creates a response that streams these texts unchanged. If it breaks, the connection is closed without an end. */
export function stream(texts: readonly string[], end: "end" | "break" | "hold" = "end"): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const text of texts) response.write(text);
    if (end === "end") response.end();
    if (end === "break") setImmediate(() => response.destroy());
  };
}

/** Returns the frame of a stored event. */
export function stored(seq: number): string {
  return `id: r.${seq}\ndata: ${JSON.stringify({ type: "step_start", seq, payload: { step: "é" } })}\n\n`;
}

/** Frame of a delta. */
export const DELTA = 'data: {"type":"assistant_text_delta","payload":{"content":"a"}}\n\n';

/** Last frame of a run. */
export const END = 'event: end\ndata: {"run_id":"r","status":"completed"}\n\n';
