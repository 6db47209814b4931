import { EngineError, toEngineError } from "@switchyard/contracts";
import { Hono } from "hono";
import { ACCESS, type RouteId } from "../api/access-table.ts";
import type { ServerOptions } from "../server/server-options.ts";
import { answerError } from "./answer-error.ts";
import type { AppParts } from "./app-parts.ts";
import { auditRequest } from "./audit-request.ts";
import { assertAccess, authenticate } from "./authenticate.ts";
import { OTHER_HANDLERS } from "./handle-other-operation.ts";
import { HANDLERS } from "./handle-run-operation.ts";
import { problemResponse } from "./problem-response.ts";
import type { RequestContext, RequestFacts } from "./request-facts.ts";
import { requestLine } from "./request-line.ts";
import { ROUTES } from "./routes.ts";

/** HTTP status that the log contains for a request whose client disconnected. */
const CLIENT_CLOSED = 499;

/** Creates the routes of a server. */
export function createApp(parts: AppParts): Hono<RequestFacts> {
  const { options, masker } = parts;
  const app = new Hono<RequestFacts>();
  app.use(async (context, next) => {
    context.set("about", {});
    context.set("masker", masker);
    await logged(context, next, parts);
  });
  addRoutes(app, parts, (id) => ACCESS[id] === "everyone");
  // All paths below require a token, including paths that do not exist.
  app.use(async (context, next) => {
    if ((await parts.audit?.isWritable()) === false) throw new EngineError("server.audit_unavailable");
    context.set("needsAudit", true);
    await authenticate(context, parts);
    await next();
  });
  addRoutes(app, parts, (id) => ACCESS[id] !== "everyone");
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

function addRoutes(app: Hono<RequestFacts>, parts: AppParts, isWanted: (id: RouteId) => boolean): void {
  const handlers = { ...OTHER_HANDLERS, ...HANDLERS };
  for (const { id, method, path } of ROUTES) {
    if (!isWanted(id)) continue;
    app.on(method, path, async (context) => {
      assertAccess(context, id);
      return handlers[id](context, parts);
    });
  }
}

/** Returns the allowed methods of each path. */
function allowedMethods(): ReadonlyMap<string, string> {
  const methods = new Map<string, string>();
  for (const { method, path } of ROUTES) {
    const known = methods.get(path);
    methods.set(path, known === undefined ? method : `${known}, ${method}`);
  }
  return methods;
}

function refuseMethod(context: RequestContext, allowed: string): Response {
  const method = context.req.method.slice(0, 20);
  const response = answerError(context, new EngineError("server.method_not_allowed", { method, allowed }));
  response.headers.set("allow", allowed);
  return response;
}

function report({ onError }: ServerOptions, error: unknown): void {
  try {
    onError?.(error);
  } catch {
    // An error of the host's `onError` must not prevent the response.
  }
}

async function logged(context: RequestContext, next: () => Promise<void>, parts: AppParts): Promise<void> {
  const { now = Date.now, log } = parts.options;
  const startedMs = now();
  context.set("startedMs", startedMs);
  await next();
  const { req, res, env } = context;
  if (context.get("needsAudit") === true) await auditRequest(context, parts, res.status);
  const status = env.outgoing.destroyed ? CLIENT_CLOSED : res.status;
  const route = req.routePath === "/*" ? undefined : req.routePath;
  const endedMs = now();
  const { method } = req;
  parts.metrics.answered({ method, route: route ?? "none", status, durationMs: endedMs - startedMs });
  log?.(requestLine({ method, route, status, startedMs, endedMs, about: context.get("about") }));
}
