import { matchedRoutes } from "hono/route";
import type { AppParts } from "./app-parts.ts";
import type { RequestContext } from "./request-facts.ts";
import { ROUTES } from "./routes.ts";

const RUN_PATH = /^\/v1\/runs\/([^/]+)/u;

/** Writes a request to the audit log, once. Resolves when the entry is on disk. Does nothing without an audit log. */
export async function auditRequest(context: RequestContext, { audit }: AppParts, status: number): Promise<void> {
  if (audit === undefined || context.get("isAudited") === true) return;
  context.set("isAudited", true);
  const { req, env } = context;
  const named = nameOf(req.path);
  const path = matchedRoutes(context)
    .map((route) => route.path)
    .findLast((matched) => matched !== "/*");
  const method = req.method === "HEAD" ? "GET" : req.method;
  const route = ROUTES.find((candidate) => candidate.path === path && candidate.method === method);
  const { run_id: runId, code } = context.get("about");
  await audit.write({
    ...{ incoming: env.incoming, atMs: context.get("startedMs"), status, caller: context.get("caller"), route: path },
    ...{ operation: context.get("action") ?? route?.id, runId: named, runOwner: context.get("runOwner") },
    ...{ createdRunId: status < 400 && runId !== named ? runId : undefined, answer: context.get("answer") },
    code: status < 400 ? undefined : code,
  });
}

/** Returns the id of the run that a path names. */
function nameOf(path: string): string | undefined {
  const [, encoded] = RUN_PATH.exec(path) ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
