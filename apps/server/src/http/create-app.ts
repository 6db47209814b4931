import { EngineError, toEngineError, type WireError } from "@switchyard/contracts";
import { Hono } from "hono";
import { openApiDocument } from "../api/open-api-document.ts";
import { OPERATIONS, type Operation } from "../api/operations.ts";
import { bodyKindOf } from "../body/read-call.ts";
import { clientKeyOf, type ProxyList } from "../connection/client-address.ts";
import type { ConnectionTable } from "../connection/connection-table.ts";
import { LOCAL_CALLER, mayDo, type Scope } from "../guard/caller.ts";
import type { RateMeter } from "../guard/rate-limit.ts";
import { runCall } from "../run/run-call.ts";
import type { RunsParts } from "../runs/runs-parts.ts";
import type { ServerOptions } from "../server/server-options.ts";
import { acceptsRuns } from "./accepts-runs.ts";
import { HANDLERS } from "./handle-run-operation.ts";
import { problemResponse } from "./problem-response.ts";
import type { RequestContext, RequestFacts } from "./request-facts.ts";
import { requestLine } from "./request-line.ts";
import { DASHBOARD_PATHS, serveDashboard } from "./serve-dashboard.ts";

/** Dependencies of the routes. */
export interface AppParts extends RunsParts {
  /** Rate limiter for requests, by caller. `undefined` if requests are not limited. */
  readonly meter: RateMeter | undefined;
  /** Rate limiter for requests with an unknown token, by address. */
  readonly attempts: RateMeter;
  /** Table of all connections. */
  readonly connections: ConnectionTable;
  /** The operator's reverse proxies, whose `X-Forwarded-For` header is trusted. */
  readonly proxies: ProxyList;
}

const RUN = "/v1/run";
const OPEN_API = "/openapi.json";
const RUN_ID = "switchyard-run-id";
/** HTTP status that the log contains for a request whose client disconnected. */
const CLIENT_CLOSED = 499;
/** Error codes after which the connection is closed: the client has too many connections or tries to guess tokens. */
const CLOSING: ReadonlySet<string> = new Set(["server.too_many_attempts", "server.too_many_connections"]);
const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" } as const;

/** Creates the routes of a server. */
export function createApp(parts: AppParts): Hono<RequestFacts> {
  const { options, executor, scheduler, masker } = parts;
  const app = new Hono<RequestFacts>();
  app.use(async (context, next) => {
    context.set("about", {});
    context.set("masker", masker);
    await logged(context, next, parts);
  });
  // Health probes need no token, because they return no details.
  app.get("/livez", (context) => probe(context, true));
  app.get("/startupz", (context) => probe(context, true));
  app.get("/readyz", async (context) => {
    return probe(context, executor.isOpen && !scheduler.isFull && (await acceptsRuns(options.stateDirectory)));
  });
  for (const path of DASHBOARD_PATHS) app.get(path, serveDashboard);
  app.use(async (context, next) => {
    authenticate(context, parts);
    await next();
  });
  app.get(OPEN_API, (context) => context.json(openApiDocument("1"), 200, { "cache-control": "no-store" }));
  app.post(RUN, (context) => {
    assertScope(context, "run");
    return answerRun(context, parts);
  });
  for (const operation of OPERATIONS) {
    app.on(operation.method, pathOf(operation), async (context) => {
      assertScope(context, operation.scope);
      return HANDLERS[operation.id](context, parts);
    });
  }
  for (const [path, allowed] of allowedMethods()) app.all(path, (context) => refuseMethod(context, allowed));
  app.notFound((context) => answerError(context, new EngineError("server.no_route")));
  app.onError((error, context) => {
    const found = toEngineError(error);
    const { status } = problemResponse(found, { isCallers: context.get("isCallers") });
    if (status === 500) report(options, error);
    return answerError(context, found);
  });
  return app;
}

/** Converts an API path to the router's syntax. The last parameter of an artifact's path may contain slashes. */
function pathOf({ path }: Operation): string {
  return path.replace("{run_id}", ":run_id").replace("{path}", "*");
}

/** Returns the allowed methods of each path. */
function allowedMethods(): ReadonlyMap<string, string> {
  const methods = new Map([
    [RUN, "POST"],
    ...["/livez", "/startupz", "/readyz", OPEN_API, ...DASHBOARD_PATHS].map((path) => [path, "GET"] as const),
  ]);
  for (const operation of OPERATIONS) {
    const path = pathOf(operation);
    const known = methods.get(path);
    methods.set(path, known === undefined ? operation.method : `${known}, ${operation.method}`);
  }
  return methods;
}

/** Identifies the caller and applies the rate limit. Throws `server.unauthorized` and `server.rate_limited`. */
function authenticate(context: RequestContext, parts: AppParts): void {
  const { options, meter, connections } = parts;
  const { tokens, rateLimit } = options;
  const caller = tokens === undefined ? LOCAL_CALLER : tokens.callerOf(context.req.header("authorization"));
  if (caller === undefined) throw refusal(context, parts);
  context.set("caller", caller);
  context.set("about", { owner: caller.owner });
  connections.authenticate(context.env.incoming.socket, caller.owner);
  const retryAfterSeconds = meter?.take(caller.owner) ?? 0;
  if (retryAfterSeconds === 0) return;
  throw new EngineError("server.rate_limited", { limit: rateLimit?.perMinute, retryAfterSeconds });
}

/**
 * Returns the error for a request without a valid token. An invalid token counts toward the rate limit of the client's
 * address. A missing token does not count.
 */
function refusal({ req, env }: RequestContext, { attempts, options, proxies, metrics }: AppParts): EngineError {
  if (req.header("authorization") === undefined) return new EngineError("server.unauthorized");
  const retryAfterSeconds = attempts.take(clientKeyOf(env.incoming, proxies));
  metrics.attempted(retryAfterSeconds === 0 ? "refused" : "limited");
  if (retryAfterSeconds === 0) return new EngineError("server.unauthorized");
  const limit = options.attemptLimit?.perMinute;
  return new EngineError("server.too_many_attempts", { limit, retryAfterSeconds });
}

function assertScope(context: RequestContext, scope: Scope): void {
  if (!mayDo(context.get("caller"), scope)) throw new EngineError("server.missing_scope", { scope });
}

function refuseMethod(context: RequestContext, allowed: string): Response {
  const method = context.req.method.slice(0, 20);
  const response = answerError(context, new EngineError("server.method_not_allowed", { method, allowed }));
  response.headers.set("allow", allowed);
  return response;
}

function probe(context: RequestContext, isWell: boolean): Response {
  return context.json({ status: isWell ? "ok" : "unavailable" }, isWell ? 200 : 503, { "cache-control": "no-store" });
}

function report({ onError }: ServerOptions, error: unknown): void {
  try {
    onError?.(error);
  } catch {
    // An error of the host's `onError` must not prevent the response.
  }
}

function answerError(context: RequestContext, error: EngineError | WireError): Response {
  const about = { ...context.get("about"), code: error.code };
  context.set("about", about);
  const { status, headers, body } = problemResponse(error, {
    masker: context.get("masker"),
    isCallers: context.get("isCallers"),
  });
  return new Response(body, {
    status,
    headers: {
      ...headers,
      ...(about.run_id === undefined ? {} : { [RUN_ID]: about.run_id }),
      // Closes the connection if the request has not been read completely.
      ...(context.env.incoming.complete && !CLOSING.has(error.code) ? {} : { connection: "close" }),
    },
  });
}

/** Handles `POST /v1/run`. See custom-engine: HTTP transport. */
async function answerRun(context: RequestContext, parts: AppParts): Promise<Response> {
  const { incoming, outgoing } = context.env;
  const { owner } = context.get("caller");
  // Invalid requests are rejected before they use a slot.
  bodyKindOf(incoming);
  const slot = parts.executor.enter();
  const onClose = (): void => {
    if (!outgoing.writableFinished) slot.stop({ cause: "user_cancel", detail: "the caller went away" });
  };
  outgoing.once("close", onClose);
  try {
    const { runId, status, result, error } = await runCall(incoming, { slot, owner }, parts);
    context.set("about", { ...context.get("about"), run_id: runId, run_status: status });
    if (result === undefined) return answerError(context, error ?? new EngineError("run.no_result"));
    return new Response(JSON.stringify(result), { headers: { ...JSON_HEADERS, [RUN_ID]: runId } });
  } finally {
    slot.release();
  }
}

async function logged(context: RequestContext, next: () => Promise<void>, parts: AppParts): Promise<void> {
  const { now = Date.now, log } = parts.options;
  const startedMs = now();
  await next();
  const { req, res, env } = context;
  const status = env.outgoing.destroyed ? CLIENT_CLOSED : res.status;
  const route = req.routePath === "/*" ? undefined : req.routePath;
  const endedMs = now();
  const { method } = req;
  parts.metrics.answered({ method, route: route ?? "none", status, durationMs: endedMs - startedMs });
  log?.(requestLine({ method, route, status, startedMs, endedMs, about: context.get("about") }));
}
