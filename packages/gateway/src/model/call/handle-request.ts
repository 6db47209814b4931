import type { IncomingMessage, ServerResponse } from "node:http";
import { EngineError, toEngineError } from "@switchyard/contracts";
import { type Endpoint, findEndpoint } from "../api/find-endpoint.ts";
import { toWireError } from "../api/wire-error.ts";
import { splitEvents } from "../recording/call-recording.ts";
import type { RecordedModelCall } from "../recording/model-call-recording.ts";
import type { Replay } from "../recording/replay.ts";
import { readBody } from "../request/read-body.ts";
import { type ReadHeaders, readHeaders, readToken } from "../request/read-headers.ts";
import { readModelRequest } from "../request/read-model-request.ts";
import type { ActiveWork, RunState } from "../run/run-state.ts";
import { forwardedHeaders } from "../upstream/response-forwarder.ts";
import { ModelCall } from "./model-call.ts";
import { type CallResult, sendCall } from "./send-call.ts";

/** Maximum number of characters of a path that events and errors quote. */
const SHOWN_PATH = 200;

/** A request while it is handled. */
interface Handling {
  readonly run: RunState;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly request: number;
  api: Endpoint["api"] | undefined;
  /** Size of the body, in bytes. */
  bufferedBytes: number;
}

/** A request whose headers were accepted. */
interface Admitted {
  readonly endpoint: Endpoint;
  readonly headers: ReadHeaders;
}

function pathOf(incoming: IncomingMessage): string {
  return (incoming.url ?? "").split("?")[0]?.slice(0, SHOWN_PATH) ?? "";
}

/** Checks a request before its body is read. Throws `gateway.*`. */
function admit(handling: Handling): Admitted {
  const { run, incoming } = handling;
  const { method = "", url: target = "", rawHeaders } = incoming;
  const headers = readHeaders(rawHeaders);
  const { registry, limits } = run.context;
  const endpoint = findEndpoint(
    { method, target },
    {
      isAnthropic: headers.values.has("anthropic-version"),
      offers: run.models.offers,
    },
  );
  handling.api = endpoint?.api;
  registry.assertToken(readToken(headers, target), run.token);
  if (endpoint === undefined) throw new EngineError("gateway.path_refused", { method, path: pathOf(incoming) });
  if (run.active.size >= limits.maxConcurrentCalls) {
    throw new EngineError("gateway.too_many_calls", { limit: limits.maxConcurrentCalls });
  }
  return { endpoint, headers };
}

/** Sends a failure of the gateway, unless a part of a response was already forwarded. */
function sendError({ response, api, run }: Handling, error: EngineError): number {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return response.statusCode;
  }
  const { status, headers, body } = toWireError(error, api);
  // The rest of a refused request is not read, so the connection cannot be used again.
  response.writeHead(status, { ...headers, connection: "close" });
  response.end(run.context.keys.mask(body));
  return status;
}

/** Response to a request whose provider responded with a failure or a redirect. */
interface FailureResponse {
  readonly kind: "status";
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
  /** Error of the gateway that replaces the response of the provider. `undefined` if that response is forwarded. */
  readonly error: EngineError | undefined;
}

/** Returns the response to the failure of a provider, without API keys. */
function responseTo(
  { run, api }: Handling,
  call: ModelCall,
  { status, headers, body }: Extract<CallResult, { kind: "status" }>,
): FailureResponse {
  const { keys, hasKey } = run.context;
  if (status !== 401 && status >= 400) {
    const { "content-length": _length, ...forwarded } = forwardedHeaders(headers, hasKey);
    return { kind: "status", status, headers: forwarded, body: keys.mask(body.toString()), error: undefined };
  }
  // Providers quote parts of a rejected key. Redirects are not followed, because they could send the key elsewhere.
  const provider = call.target.upstream.name;
  const problem = `it responded with HTTP ${status}.`;
  const error =
    status === 401
      ? new EngineError("gateway.key_rejected", { provider, status })
      : new EngineError("gateway.upstream_failed", { provider, problem }, { isFinal: true });
  const own = toWireError(error, api);
  return { kind: "status", ...own, body: keys.mask(own.body), error };
}

/** What the engine received as the response to a call. */
type Delivered = Exclude<CallResult, { kind: "status" }> | FailureResponse;

/** Sends the failure of a call, if it failed, and reports the end of the call. Returns what the engine received. */
function deliver(handling: Handling, call: ModelCall, result: CallResult): Delivered {
  const { response } = handling;
  if (result.kind === "failed" || result.kind === "broken") {
    call.end(sendError(handling, result.error), result.error);
    return result;
  }
  const delivered = result.kind === "status" ? responseTo(handling, call, result) : result;
  if (delivered.kind === "status") response.writeHead(delivered.status, delivered.headers).end(delivered.body);
  call.end(response.statusCode, delivered.kind === "status" ? delivered.error : undefined);
  return delivered;
}

/** Responds to a call from the recording of an earlier run. */
function replayCall({ response }: Handling, call: ModelCall, replay: Replay): void {
  const { endpoint, body } = call.start;
  const { status, contentType, parts } = replay.next(endpoint, body.json);
  call.begin(contentType);
  response.writeHead(status, { "content-type": contentType });
  for (const part of parts) {
    call.add(Buffer.from(part));
    response.write(part);
  }
  response.end();
  call.end(status, undefined);
}

/** Counts a chunk of a body. Throws `gateway.too_many_calls` if the bodies of the run are too large together. */
function reserveBytes({ run }: Handling, bytes: number): void {
  const { maxBufferedBytes } = run.context.limits;
  if (run.bufferedBytes + bytes > maxBufferedBytes) {
    throw new EngineError("gateway.too_many_calls", { limit: run.active.size });
  }
  run.bufferedBytes += bytes;
}

/** Reads the request, and creates its call. */
async function openCall(handling: Handling, { endpoint, headers }: Admitted): Promise<ModelCall> {
  const { run, incoming, response, request } = handling;
  const { maxRequestBytes: maxBytes } = run.context.limits;
  const reserve = (bytes: number): void => {
    reserveBytes(handling, bytes);
    handling.bufferedBytes += bytes;
  };
  const slot: ActiveWork = { cancel: () => incoming.destroy(), check: () => undefined };
  run.active.add(slot);
  try {
    const body = readModelRequest(endpoint, await readBody(incoming, { maxBytes, reserve }));
    const target = run.models.targetOf(endpoint.api, body.model);
    for (const model of body.alternatives) run.models.targetOf(endpoint.api, model);
    return new ModelCall(run, { request, endpoint, body, headers: headers.forwarded, response, target });
  } finally {
    run.active.delete(slot);
  }
}

/** Returns the call as it is recorded. `undefined` if its response was not complete. */
function toRecorded({ response }: Handling, call: ModelCall, delivered: Delivered): RecordedModelCall | undefined {
  if (delivered.kind === "failed" || delivered.kind === "broken") return undefined;
  const { endpoint, body } = call.start;
  const recorded = { api: endpoint.api, path: endpoint.path, request: body.json, status: response.statusCode };
  if (delivered.kind === "status") {
    const contentType = String(delivered.headers["content-type"] ?? "application/json");
    return { ...recorded, contentType, parts: [delivered.body] };
  }
  const text = Buffer.concat(call.recorded).toString();
  const isStream = /event-stream/i.test(call.contentType);
  return { ...recorded, contentType: call.contentType, parts: isStream ? splitEvents(text) : [text] };
}

/** Serves one admitted request. */
async function serve(handling: Handling, admitted: Admitted): Promise<void> {
  const { run, response } = handling;
  const call = await openCall(handling, admitted);
  response.once("close", () => {
    if (!response.writableFinished) call.cancel("the engine closed the connection");
  });
  run.active.add(call);
  const slot = run.recording?.open();
  let recorded: RecordedModelCall | undefined;
  try {
    await call.reserve();
    if (run.replay !== undefined) return replayCall(handling, call, run.replay);
    const delivered = deliver(handling, call, await sendCall(call));
    if (run.recording !== undefined) recorded = toRecorded(handling, call, delivered);
  } finally {
    call.release();
    run.active.delete(call);
    slot?.(recorded);
  }
}

function tokenOf(error: EngineError): string | undefined {
  const { tokenOf } = error.details;
  return typeof tokenOf === "string" ? tokenOf : undefined;
}

/** Returns whether a request only tests the connection. Claude Code sends one without a token when it starts. */
function isConnectionTest({ method, url }: IncomingMessage): boolean {
  return method === "HEAD" && url === "/";
}

/** Handles one request of an engine: forwards it, or refuses it with an error in the format of its API. */
export async function handleRequest(run: RunState, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const handling: Handling = { run, incoming, response, request: run.nextRequest(), api: undefined, bufferedBytes: 0 };
  response.on("error", () => undefined);
  if (isConnectionTest(incoming)) {
    response.writeHead(200).end();
    return;
  }
  try {
    await serve(handling, admit(handling));
  } catch (thrown) {
    const error = toEngineError(thrown);
    sendError(handling, error);
    const problem = run.context.keys.mask(error.message);
    const { runId } = run;
    run.emit({
      type: "model_request_refused",
      runId,
      request: handling.request,
      error: error.code,
      problem,
      tokenOf: tokenOf(error),
    });
  } finally {
    run.bufferedBytes -= handling.bufferedBytes;
  }
}
