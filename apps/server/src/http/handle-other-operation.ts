import { EngineError } from "@switchyard/contracts";
import type { RouteId } from "../api/access-table.ts";
import { openApiDocument } from "../api/open-api-document.ts";
import type { OperationId } from "../api/operations.ts";
import { bodyKindOf } from "../body/read-call.ts";
import type { RunsParts } from "../runs/runs-parts.ts";
import { acceptsRuns } from "./accepts-runs.ts";
import { answerError, RUN_ID_HEADER } from "./answer-error.ts";
import type { AppParts } from "./app-parts.ts";
import type { HandleRequest } from "./handle-run-operation.ts";
import type { RequestContext } from "./request-facts.ts";
import { serveDashboard } from "./serve-dashboard.ts";

const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" } as const;

/** Handlers of the routes outside the runs API. */
export const OTHER_HANDLERS: Readonly<Record<Exclude<RouteId, OperationId>, HandleRequest>> = {
  readDashboard: serveDashboard,
  // Health probes need no token, because they return no details.
  isAlive: async (context) => probe(context, true),
  isStarted: async (context) => probe(context, true),
  isReady,
  describe: async (context) => context.json(openApiDocument("1"), 200, { "cache-control": "no-store" }),
  runOnce,
};

async function isReady(context: RequestContext, { executor, options, audit }: AppParts): Promise<Response> {
  // A full queue does not count: the server still serves requests about its runs, and another server would not help.
  const acceptsRequests = executor.isOpen && (await audit?.isWritable()) !== false;
  return probe(context, acceptsRequests && (await acceptsRuns(options.stateDirectory)));
}

function probe(context: RequestContext, isWell: boolean): Response {
  return context.json({ status: isWell ? "ok" : "unavailable" }, isWell ? 200 : 503, { "cache-control": "no-store" });
}

/** Handles `POST /v1/run`. See custom-engine: HTTP transport. */
async function runOnce(context: RequestContext, parts: RunsParts): Promise<Response> {
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
    const { runId, status, result, error } = await parts.executeCall(incoming, { slot, owner }, parts);
    context.set("about", { ...context.get("about"), run_id: runId, run_status: status });
    if (result === undefined) return answerError(context, error ?? new EngineError("run.no_result"));
    return new Response(JSON.stringify(result), { headers: { ...JSON_HEADERS, [RUN_ID_HEADER]: runId } });
  } finally {
    slot.release();
  }
}
