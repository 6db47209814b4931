import { once } from "node:events";
import { mkdir, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { resolve } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { EngineError, messageOf } from "@switchyard/contracts";
import type { ClusterMember } from "../cluster/open-cluster-parts.ts";
import { isLoopback } from "../guard/loopback.ts";
import { needsToken } from "../guard/needs-token.ts";
import { createApp } from "../http/create-app.ts";
import { refuseCaller } from "../http/refuse-caller.ts";
import { onDisk } from "../run/disk-failure.ts";
import { pruneRuns } from "../runs/prune-runs.ts";
import { recoverRuns } from "../runs/recover-runs.ts";
import { openParts, type ServerParts } from "./open-parts.ts";
import type { ServerOptions } from "./server-options.ts";

const LOOPBACK = "127.0.0.1";
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 300_000;
const KEEP_ALIVE_MS = 5_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Interval of the check for slow connections, in milliseconds. */
const CHECK_CONNECTIONS_MS = 1_000;
/**
 * Time after which a client is disconnected if it reads nothing although response data is available, in milliseconds.
 */
const RESPONSE_IDLE_MS = 30_000;
/** TCP keep-alive delay, in milliseconds. */
const PROBE_DELAY_MS = 60_000;
/** Listen backlog, in connections. */
const BACKLOG = 1_024;
/** Interval of the check for runs that exceed the retention limits, in milliseconds. */
const PRUNE_INTERVAL_MS = 600_000;
/** Mode of the state folder: accessible to its owner only. */
const FOLDER_MODE = 0o700;

/** A listening server. */
export interface RunningServer extends AsyncDisposable {
  /** Address, `http://host:port`. */
  readonly url: string;
  /** Port. */
  readonly port: number;
  /**
   * Shuts down the server: stops accepting runs, asks active runs to save their state and stop, answers their callers,
   * and closes. Contract: takes at most 30 seconds, regardless of what engines do.
   */
  drain(): Promise<void>;
  /**
   * Stops active runs and their processes immediately. A pending call of {@link RunningServer.drain} then resolves
   * soon.
   */
  cancelRuns(): void;
}

/**
 * Time limit, at shutdown, for interrupted runs to stop, in milliseconds. It is the sum of the grace periods of
 * interrupt and cancellation.
 */
const STOP_MS = 18_000;
/** Time limit, at shutdown, for cancelled runs to end, in milliseconds. */
const CANCEL_MS = 5_500;
/** Time limit, at shutdown, for storing the outcomes of runs, in milliseconds. */
const SETTLE_MS = 2_000;
/** Time limit, at shutdown, for connections to close after their last response, in milliseconds. */
const GOODBYE_MS = 2_000;
/** Time limit, at shutdown, for the server to complete its responses, in milliseconds. */
const ANSWER_MS = 5_000;
/**
 * Time from the start of the shutdown until the last responses must be sent, in milliseconds. `drain` may take 30
 * seconds: of the remaining 4, connections have 2 to close (`GOODBYE_MS`), and 2 are left for closing the store and
 * leaving the cluster.
 */
const DUE_MS = 26_000;

/**
 * Serves an engine over HTTP: `POST /v1/run`, the runs API and the health probes. Recovers runs of an earlier server
 * process. Resolves when the server is listening. Without `tokens` and `oidc`, rejects with `server.insecure` if the
 * address is reachable from other machines. Also rejects with `workspace.*` and `server.cannot_listen`. See
 * architecture: surfaces; custom-engine: HTTP transport.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host = LOOPBACK, port = 0, workspace } = options;
  if (!isLoopback(host) && !needsToken(options)) throw new EngineError("server.insecure", { host });
  if (workspace !== undefined) await assertFolder(workspace);
  const stateDirectory = resolve(options.stateDirectory);
  await onDisk(stateDirectory, mkdir(stateDirectory, { recursive: true, mode: FOLDER_MODE }));
  const parts = await openParts({ ...options, host, stateDirectory });
  const server = openHttpServer(parts, host);
  if (parts.member === undefined) await recoverRuns(parts);
  else await joinCluster(parts, parts.member);
  await listen(server, host, port);
  parts.dispatcher.pump();
  if (parts.member === undefined) await parts.webhooks?.recover();
  const pruning = schedulePruning(parts);
  const bound = portOf(server);
  const shown = host.includes(":") ? `[${host}]` : host;
  const drain = onceOnly(() => {
    clearInterval(pruning);
    return drainServer(server, parts);
  });
  return {
    url: `http://${shown}:${bound}`,
    port: bound,
    drain,
    cancelRuns: () => parts.executor.cancelAll(),
    [Symbol.asyncDispose]: drain,
  };
}

/**
 * Begins to receive the changes of all runs, and to compete for leadership. The leader recovers the runs. Webhooks that an
 * earlier process of this server must still call are called when their runs end.
 */
async function joinCluster({ webhooks, dispatcher }: ServerParts, member: ClusterMember): Promise<void> {
  // The runs are registered first, so that no end is missed: the newest state of every run arrives after the start.
  for (const { run_id: runId, owner = "" } of (await webhooks?.recover()) ?? []) dispatcher.enqueue({ runId, owner });
  member.start();
}

async function assertFolder(path: string): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new EngineError("workspace.not_found", { path }, { cause });
  });
  if (!found.isDirectory()) throw new EngineError("workspace.not_a_directory", { path });
}

/** Wraps a function so that only its first call has an effect. All calls return the same promise. */
function onceOnly(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= action();
    return done;
  };
}

function openHttpServer(parts: ServerParts, host: string): Server {
  const { options } = parts;
  const app = createApp(parts);
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    // The HTTP adapter must not replace global objects of the host program.
    overrideGlobalObjects: false,
  });
  const rules = { host, allowedHosts: options.allowedHosts ?? [] };
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (!parts.connections.begin(request.socket, response)) return;
    if (!refuseCaller({ request, response }, rules, parts)) void listener(request, response);
  };
  const server = createServer(
    {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeout),
      requestTimeout,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      keepAlive: true,
      keepAliveInitialDelay: PROBE_DELAY_MS,
    },
    handle,
  );
  // With `Expect: 100-continue`, a client gets `100 Continue` only when its body is read.
  // A rejected client therefore does not send the body.
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    request.once("resume", () => {
      if (!response.headersSent) response.writeContinue();
    });
    handle(request, response);
  });
  limitConnections(server, parts);
  return server;
}

function limitConnections(server: Server, { options, connections, maxAccepted, metrics }: ServerParts): void {
  server.maxConnections = maxAccepted;
  server.on("connection", (socket) => connections.add(socket));
  server.on("drop", () => metrics.connectionDropped("refused"));
  // Node emits the timeout event also for connections that are idle after a response.
  server.setTimeout(options.connections?.responseIdleMs ?? RESPONSE_IDLE_MS, (socket) => {
    if (!connections.isBusy(socket)) socket.destroy();
    else if (socket.writableLength > 0) connections.drop(socket, "slow_reader");
    else socket.setTimeout(server.timeout);
  });
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ host, port, backlog: BACKLOG });
    await once(server, "listening");
  } catch (error) {
    throw new EngineError("server.cannot_listen", { host, port, problem: messageOf(error) }, { cause: error });
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Prunes expired runs now and periodically. */
function schedulePruning(parts: ServerParts): NodeJS.Timeout {
  const prune = (): void => void pruneRuns(parts).catch(parts.onError);
  prune();
  const timer = setInterval(prune, PRUNE_INTERVAL_MS);
  timer.unref();
  return timer;
}

async function drainServer(server: Server, parts: ServerParts): Promise<void> {
  const { executor, dispatcher, streams, webhooks, store, connections } = parts;
  const startedAt = performance.now();
  executor.close();
  parts.close(new EngineError("server.draining"));
  const closed = once(server, "close");
  const stopped = executor.stopAll({ cause: "host_shutdown", detail: "the server stops" });
  await within(STOP_MS, stopped);
  executor.cancelAll();
  await within(CANCEL_MS, stopped);
  await within(SETTLE_MS, dispatcher.settled());
  // Ends the event streams of queued runs, so that clients reconnect to the next server.
  streams.end("draining");
  streams.close();
  server.close();
  server.closeIdleConnections();
  // On a busy machine, a finished run may need longer than `GOODBYE_MS` until its response is complete.
  const leftMs = DUE_MS - (performance.now() - startedAt);
  await within(Math.max(0, Math.min(ANSWER_MS, leftMs)), connections.answered());
  await within(GOODBYE_MS, closed);
  server.closeAllConnections();
  await closed;
  connections.close();
  await webhooks?.close();
  await parts.member?.close();
  await store.close();
}

/** Waits for a promise, up to a time limit. */
async function within(timeMs: number, end: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), timeMs);
  try {
    await Promise.race([end, once(over.signal, "abort")]);
  } finally {
    clearTimeout(timer);
  }
}
