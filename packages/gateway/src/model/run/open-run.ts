import { createServer, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { EngineError } from "@switchyard/contracts";
import { endConnection } from "../../connection/end-connection.ts";
import { createRunBudget } from "../budget/run-budget.ts";
import type { GatewayContext } from "../call/gateway-context.ts";
import { handleRequest } from "../call/handle-request.ts";
import type { ModelGatewayEvent } from "../gateway-event.ts";
import type { GatewayRun, GatewayRunOptions } from "../gateway-options.ts";
import { createCallRecording } from "../recording/call-recording.ts";
import { createCallCleaner } from "../recording/clean-call.ts";
import { createReplay } from "../recording/replay.ts";
import { createAllowedModels } from "./allowed-models.ts";
import { openAddress } from "./open-address.ts";
import type { ActiveWork, RunState } from "./run-state.ts";

/** Maximum size of the headers of a request, in bytes. */
const MAX_HEADER_BYTES = 32 * 1024;
/** Time in which the headers of a request must arrive, in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Time after which an idle connection is closed, in milliseconds. */
const IDLE_MS = 30_000;

/** Longest delay of a timer of Node.js, in milliseconds: 24 days. A longer delay would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Creates the state of a run. Throws `config.invalid`. */
export function createRunState(context: GatewayContext, options: GatewayRunOptions): RunState {
  const { runId, models, budget, sharedBudget, record, replay, masker, onEvent } = options;
  const mask = (text: string): string => context.masker.mask(masker === undefined ? text : masker.mask(text));
  const cleaner = createCallCleaner({ mask });
  const recording = record === undefined ? undefined : createCallRecording(record, cleaner);
  let requests = 0;
  const emit = (event: ModelGatewayEvent): void => {
    onEvent?.(event);
    context.emit(event);
  };
  return {
    ...{
      runId,
      context,
      options,
      recording,
      emit,
      replaced: new Map<string, number>(),
      active: new Set<ActiveWork>(),
      handled: new Set<Promise<void>>(),
      bufferedBytes: 0,
    },
    budget: createRunBudget(budget),
    sharedBudget,
    models: createAllowedModels(models, context.upstreams),
    replay: replay === undefined ? undefined : createReplay(replay, cleaner),
    token: context.registry.add(runId),
    nextRequest() {
      requests += 1;
      return requests;
    },
  };
}

/** Emits an event for bytes that are no valid HTTP request, and closes the connection. */
function refuseBytes(run: RunState, error: Error, socket: Duplex): void {
  const isTimeout = "code" in error && error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  if (!socket.writable) return void socket.destroy();
  const problem = isTimeout ? "it did not arrive in time." : "it is not valid HTTP.";
  const refused = new EngineError("gateway.request_refused", { problem });
  const reference = { runId: run.runId, request: run.nextRequest(), error: refused.code, problem: refused.message };
  run.emit({ type: "model_request_refused", ...reference, tokenOf: undefined });
  const head = `HTTP/1.1 ${isTimeout ? "408 Request Timeout" : "400 Bad Request"}\r\nconnection: close\r\n\r\n`;
  // Bytes that arrive later must not complete a request that was refused.
  if (isTimeout) socket.end(head, () => socket.destroy());
  else endConnection(socket, head);
}

function createRunServer(run: RunState): Server {
  const { limits } = run.context;
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, limits.requestTimeoutMs),
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(5_000, limits.requestTimeoutMs),
      keepAliveTimeout: IDLE_MS,
      noDelay: true,
    },
    (incoming, response) => {
      const handled = handleRequest(run, incoming, response).finally(() => run.handled.delete(handled));
      run.handled.add(handled);
    },
  );
  server.maxConnections = limits.maxConnections;
  server.on("clientError", (error, socket) => refuseBytes(run, error, socket));
  // CONNECT requests are refused, because a tunnel could reach any host.
  server.on("connect", (_incoming, socket) => refuseBytes(run, new Error("it is a CONNECT request"), socket));
  return server;
}

/** Opens the address of a run. Rejects with the errors of `openAddress`. */
export async function openRun(run: RunState, onClose: () => void): Promise<GatewayRun> {
  const { options, context, token } = run;
  const server = createRunServer(run);
  const address = await openAddress(server, options);
  const expire = (): void => context.registry.end(token);
  const { expiresAfterMs = LONGEST_TIMER_MS } = options;
  const timer = expiresAfterMs < LONGEST_TIMER_MS ? setTimeout(expire, expiresAfterMs) : undefined;
  timer?.unref();
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    clearTimeout(timer);
    expire();
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    for (const work of run.active) work.cancel("the run was closed");
    server.closeAllConnections();
    // This also ends the connections of a relay, which the server does not track.
    await Promise.all([closed, address[Symbol.asyncDispose](), ...run.handled]);
    run.recording?.finish();
    onClose();
  }
  const opened: Omit<GatewayRun, typeof Symbol.asyncDispose> = {
    ...{ runId: run.runId, baseUrl: address.baseUrl, socketPath: address.socketPath, token: token.token },
    used: () => run.budget.used(),
    assertReplayed: () => run.replay?.assertFinished(),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
  return { ...opened, [Symbol.asyncDispose]: () => opened.close() };
}
