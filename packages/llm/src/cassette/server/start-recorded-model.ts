import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { EngineError, type ModelRequest, type ModelResponse } from "@switchyard/contracts";
import type { Cassette, RecordedCall } from "../cassette.ts";
import { compareRequest } from "../compare-request.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeAnswer } from "./encode-answer.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Options of `startRecordedModel`. */
export interface RecordedModelOptions {
  /** Function that replaces run-specific text in all texts of a request. */
  normalise: (text: string) => string;
  /** Pause between two chunks of a response, in milliseconds. */
  paceMs: number;
  /** True to collect requests for a new recording instead of comparing them. */
  isUpdating: boolean;
}

/** Server on the loopback interface that replays a recording. */
export interface RecordedModel extends AsyncDisposable {
  /** Base URL for clients. */
  readonly baseUrl: string;
  /** Requests received so far, in the format in which a recording stores them. */
  readonly requests: readonly ModelRequest[];
  /** Throws `cassette.*` unless exactly the recorded calls were made, in order. */
  assertFinished(): void;
}

/**
 * Starts a server that replays a recording in the wire format of Anthropic's Messages API. A request that does not
 * match the next recorded one gets an error that is not retryable, and `assertFinished` throws.
 */
export async function startRecordedModel(cassette: Cassette, options: RecordedModelOptions): Promise<RecordedModel> {
  const requests: ModelRequest[] = [];
  let failure: EngineError | undefined;
  const server = createServer((incoming, outgoing) => {
    void answer(incoming, outgoing).catch(() => outgoing.destroy());
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const request = decodeRequest(parseNormalised(await readBody(incoming), options.normalise));
      requests.push(request);
      const call = nextCall(cassette, requests, options.isUpdating);
      if (call.response === undefined) {
        throw new EngineError("cassette.mismatch", { index: requests.length, problem: "the recorded call failed" });
      }
      await streamAnswer(outgoing, call.response, options.paceMs);
    } catch (error) {
      const found = EngineError.is(error) ? error : undecodable(requests.length, error);
      failure ??= found;
      outgoing.writeHead(400, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: found.message } }));
    }
  }

  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${portOf(server.address())}/v1`,
    requests,
    assertFinished() {
      if (failure !== undefined) throw failure;
      const unused = cassette.calls.length - requests.length;
      if (unused > 0) throw new EngineError("cassette.unused", { unused });
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function nextCall(cassette: Cassette, requests: readonly ModelRequest[], isUpdating: boolean): RecordedCall {
  const index = requests.length;
  const call = cassette.calls[index - 1];
  const request = requests[index - 1];
  if (call === undefined || request === undefined) {
    throw new EngineError("cassette.exhausted", { index, calls: cassette.calls.length });
  }
  const difference = isUpdating ? undefined : compareRequest(call.request, request);
  if (difference === undefined) return call;
  const { path, expected, actual } = difference;
  throw new EngineError("cassette.mismatch", { index, problem: `${path} should be ${expected} but is ${actual}` });
}

function undecodable(index: number, cause: unknown): EngineError {
  const problem = cause instanceof Error ? cause.message : String(cause);
  return new EngineError("cassette.mismatch", { index: index + 1, problem }, { cause });
}

async function streamAnswer(outgoing: ServerResponse, response: ModelResponse, paceMs: number): Promise<void> {
  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of encodeAnswer(response)) {
    if (paceMs > 0 && event.type === "content_block_delta") await delay(paceMs);
    outgoing.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  outgoing.end();
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) throw new TypeError("The request is too large.");
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseNormalised(body: string, normalise: (text: string) => string): unknown {
  return JSON.parse(body, (_, value: unknown) => (typeof value === "string" ? normalise(value) : value));
}

function portOf(address: ReturnType<ReturnType<typeof createServer>["address"]>): number {
  if (typeof address !== "object" || address === null) throw new TypeError("The server has no port.");
  return address.port;
}
