import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { createKiller } from "./always-resume.ts";

/** Handler that writes a response, usually a faulty one. */
export type Misbehaviour = (response: ServerResponse, request: IncomingMessage) => void;

/** Loopback server that simulates Anthropic's API. */
export interface LoopbackModel {
  readonly baseUrl: string;
  /** Returns the number of requests. */
  readonly requests: () => number;
  /** Bodies of the requests. */
  readonly bodies: readonly string[];
}

/** Starts a loopback server that simulates Anthropic's API, and closes it after the test. */
export async function startLoopbackModel(answer: Misbehaviour): Promise<LoopbackModel> {
  let requests = 0;
  const bodies: string[] = [];
  const kill = createKiller();
  const server = createServer((request, response) => {
    if (kill()) {
      response.destroy();
      return;
    }
    requests += 1;
    void text(request).then(
      (body) => {
        bodies.push(body);
        answer(response, request);
      },
      // A client that disconnected needs no response.
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requests: () => requests, bodies };
}

/** Responds with an HTTP status and an error in Anthropic's format. */
export function answerError(status: number, type: string): Misbehaviour {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
    response.end(JSON.stringify({ type: "error", error: { type, message: `a loopback server says ${status}` } }));
  };
}

/** Starts a streamed response: some text, without the end. */
export function beginAnswer(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const usage = { input_tokens: 1, output_tokens: 0 };
  const message = { id: "m1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage };
  send(response, { type: "message_start", message });
  send(response, { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
  send(response, { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half an ans" } });
}

/** Ends a response that `beginAnswer` started. */
export function endAnswer(response: ServerResponse, text: string): void {
  send(response, { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
  send(response, { type: "content_block_stop", index: 0 });
  send(response, { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } });
  send(response, { type: "message_stop" });
  response.end();
}

/** Responds with one tool call. A string is sent unchanged as the arguments that the model writes. */
export function answerCall(name: string, callArguments: unknown): Misbehaviour {
  const written = typeof callArguments === "string" ? callArguments : JSON.stringify(callArguments);
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const usage = { input_tokens: 1, output_tokens: 0 };
    const message = { id: "m1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage };
    const block = { type: "tool_use", id: "call-1", name, input: {} };
    const delta = { type: "input_json_delta", partial_json: written };
    send(response, { type: "message_start", message });
    send(response, { type: "content_block_start", index: 0, content_block: block });
    send(response, { type: "content_block_delta", index: 0, delta });
    send(response, { type: "content_block_stop", index: 0 });
    send(response, { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } });
    send(response, { type: "message_stop" });
    response.end();
  };
}

function send(response: ServerResponse, event: { type: string; [field: string]: unknown }): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}
