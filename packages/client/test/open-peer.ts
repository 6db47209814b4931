import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** A server that a test plays. */
export interface Peer {
  readonly url: string;
  /** What it was asked, in order. */
  readonly asked: { readonly line: string; readonly headers: IncomingMessage["headers"]; readonly body: string }[];
}

/** Answers each request with the next of these; the last one answers all that follow. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

/** Starts a server that answers so, until the end of the test. */
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

/** An answer as JSON. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** An answer that refuses. */
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

/** A stream that says these texts as they are, and ends; where it breaks, the connection is cut. */
export function stream(texts: readonly string[], end: "end" | "break" | "hold" = "end"): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const text of texts) response.write(text);
    if (end === "end") response.end();
    if (end === "break") setImmediate(() => response.destroy());
  };
}

/** The frame of a stored event. */
export function stored(seq: number): string {
  return `id: r.${seq}\ndata: ${JSON.stringify({ type: "step_start", seq, payload: { step: "é" } })}\n\n`;
}

/** The frame of a delta. */
export const DELTA = 'data: {"type":"assistant_text_delta","payload":{"content":"a"}}\n\n';

/** The last frame of a run. */
export const END = 'event: end\ndata: {"run_id":"r","status":"completed"}\n\n';
