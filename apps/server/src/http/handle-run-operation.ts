import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { EngineError, type OpenQuestion, type RunView, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { readUndoneAt, requeueSession } from "@switchyard/runner";
import type { OperationId } from "../api/operations.ts";
import {
  answerRunSchema,
  forkRunSchema,
  interruptRunSchema,
  resumeRunSchema,
  steerRunSchema,
  undoRunSchema,
} from "../api/run-schemas.ts";
import { readBody } from "../body/parse-body.ts";
import { isExpired } from "../guard/caller.ts";
import { listRuns } from "../listing/list-runs.ts";
import type { IndexedRun } from "../listing/run-index.ts";
import { parseRunFilter, parseRunQuery } from "../listing/run-query.ts";
import { runStatistics } from "../listing/run-statistics.ts";
import { acceptRun } from "../runs/accept-run.ts";
import { type FoundRun, findRun } from "../runs/find-run.ts";
import { forkRun } from "../runs/fork-run.ts";
import { notAtWork } from "../runs/not-at-work.ts";
import { openArtifact } from "../runs/open-artifact.ts";
import { openPatch } from "../runs/open-patch.ts";
import { removeRun } from "../runs/remove-run.ts";
import { RunProgress } from "../runs/run-progress.ts";
import { toArtifactViews, toRunDetail, toRunView } from "../runs/run-view.ts";
import type { RunsParts } from "../runs/runs-parts.ts";
import { serverSettingsOf } from "../runs/server-settings.ts";
import { undoServerRun } from "../runs/undo-server-run.ts";
import { queuedAtMsOf } from "../scheduler/scheduled-run.ts";
import { bodyLimitsOf } from "../server/body-limits-of.ts";
import { noticeFrame, seqOfEventId } from "../stream/event-frame.ts";
import { EventHub } from "../stream/event-hub.ts";
import { assertHasEvent } from "../stream/event-streams.ts";
import type { AppParts } from "./app-parts.ts";
import { auditRequest } from "./audit-request.ts";
import { assertAccess } from "./authenticate.ts";
import { toCallerView } from "./caller-view.ts";
import type { RequestContext } from "./request-facts.ts";

/** Handles one request. */
export type HandleRequest = (context: RequestContext, parts: AppParts) => Promise<Response>;

const NO_STORE = { "cache-control": "no-store" } as const;

/** Handlers by operation. */
export const HANDLERS: Readonly<Record<OperationId, HandleRequest>> = {
  createRun,
  listRuns: async (context, { index, dispatcher, options }) => {
    const query = parseRunQuery(new URL(context.req.url).searchParams);
    const nowMs = (options.now ?? Date.now)();
    const toView = ({ record, isHeld }: IndexedRun): RunView =>
      toRunView(record, { isHeld, progress: dispatcher.find(record.run_id)?.progress });
    return json(context, listRuns(await index.all(), { caller: context.get("caller"), query, nowMs, toView }));
  },
  readStatistics: async (context, { index }) => {
    const filter = parseRunFilter(new URL(context.req.url).searchParams);
    return json(context, runStatistics(await index.all(), { caller: context.get("caller"), filter }));
  },
  readCaller: async (context, { scheduler, options }) => {
    const caller = context.get("caller");
    const budget = await options.readBudget?.(caller.owner);
    return json(context, toCallerView(caller, { scheduler, nowMs: (options.now ?? Date.now)(), budget }));
  },
  showRun: async (context, parts) => {
    const { stored, record } = await namedRun(context, parts);
    const undoneAt = record.undone_at ?? (await readUndoneAt(stored).catch(() => undefined));
    const detail = toRunDetail(record, stored, parts.dispatcher.find(record.run_id)?.progress);
    return json(context, undoneAt === undefined ? detail : { ...detail, undone_at: undoneAt });
  },
  deleteRun: async (context, parts) => {
    const { record } = await restingRun(context, parts);
    await parts.locks.run(record.run_id, () => removeRun(record.run_id, parts));
    return new Response(null, { status: 204 });
  },
  watchRun,
  steerRun: async (context, parts) => {
    const { record } = await namedRun(context, parts);
    const { text, when } = await readBody(context.env.incoming, steerRunSchema, limitsOf(parts));
    await parts.dispatcher.control(record.run_id, { kind: when === "after" ? "follow_up" : "steer", text });
    return accepted(context, record.run_id);
  },
  answerRun,
  interruptRun: async (context, parts) => {
    const { record } = await namedRun(context, parts);
    const { detail } = await readBody(context.env.incoming, interruptRunSchema, limitsOf(parts));
    await parts.dispatcher.interrupt(record.run_id, { cause: "user_cancel", detail });
    return accepted(context, record.run_id);
  },
  resumeRun,
  forkRun: async (context, parts) => {
    const found = await restingRun(context, parts);
    const body = await readBody(context.env.incoming, forkRunSchema, limitsOf(parts));
    const record = await forkRun(found, { caller: context.get("caller"), body }, parts);
    context.set("about", { ...context.get("about"), run_id: record.run_id });
    return created(context, toRunView(record, { isHeld: false }));
  },
  undoRun: async (context, parts) => {
    const { record } = await restingRun(context, parts);
    const { dry_run: isDryRun = false } = await readBody(context.env.incoming, undoRunSchema, limitsOf(parts));
    // The run is read again after its lock was acquired, because another request may have resumed or reverted it.
    const undone = await parts.locks.run(record.run_id, async () =>
      undoServerRun(await namedRun(context, parts), isDryRun, parts),
    );
    return json(context, undone);
  },
  listArtifacts: async (context, parts) => {
    const { stored } = await namedRun(context, parts);
    return json(context, { artifacts: toArtifactViews(stored.report ?? { artifacts: [] }) });
  },
  readArtifact,
  readPatch: async (context, parts) => {
    const { stored } = await namedRun(context, parts);
    const patch = await openPatch(stored, { masker: parts.masker, cluster: parts.options.cluster });
    return attachment(patch, "text/x-patch; charset=utf-8");
  },
  readMetrics: async (_, { metrics }) =>
    new Response(await metrics.render(), { headers: { ...NO_STORE, "content-type": metrics.contentType } }),
};

async function createRun(context: RequestContext, parts: RunsParts): Promise<Response> {
  const { req, env } = context;
  const options = { caller: context.get("caller"), key: req.header("idempotency-key") };
  const { record, isReplayed } = await acceptRun(env.incoming, options, parts);
  context.set("about", { ...context.get("about"), run_id: record.run_id });
  if (!isReplayed) return created(context, toRunView(record, { isHeld: false }));
  const { lease } = await parts.store.show(record.run_id);
  const response = json(context, toRunView(record, { isHeld: lease?.isHeld === true }));
  response.headers.set("idempotency-replayed", "true");
  return response;
}

/** Streams the events of a run to the client. Resolves when the client has received all stored events. */
async function watchRun(context: RequestContext, parts: AppParts): Promise<Response> {
  const { store, streams, dispatcher } = parts;
  const { record } = await namedRun(context, parts);
  const { run_id: runId } = record;
  const seq = seqOfEventId(runId, context.req.header("last-event-id"));
  const watched = await dispatcher.watch(record);
  // The run may have ended since its record was read, so the record is read again.
  const hub = watched?.hub ?? endedHub(parts, runId, (await namedRun(context, parts)).record.status);
  await assertHasEvent(store, runId, { seq, hub });
  const caller = context.get("caller");
  const { owner } = caller;
  const { now = Date.now } = parts.options;
  const isForbidden = (): boolean => isExpired(caller, now());
  streams.assertRoom(owner);
  const { incoming, outgoing } = context.env;
  // A response to a HEAD request has no body, so it must be ended explicitly.
  if (incoming.method === "HEAD")
    return new Response(null, { headers: { ...NO_STORE, "content-type": "text/event-stream" } });
  await auditRequest(context, parts, 200);
  // If the stream cannot be opened, the connection is closed, so no error response is needed.
  streams.open({ runId, owner, afterSeq: seq, hub, isForbidden }, outgoing).catch(() => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}

/** Returns an event hub for a run that is not active on this server. The hub sends stored events only. */
function endedHub({ store }: RunsParts, runId: string, status: string): EventHub {
  const hub = new EventHub(runId, store);
  hub.end(noticeFrame("end", { run_id: runId, status }));
  return hub;
}

async function resumeRun(context: RequestContext, parts: RunsParts): Promise<Response> {
  const { stored, record: before } = await restingRun(context, parts);
  const { options, store, dispatcher, scheduler, executor, webhooks, locks } = parts;
  const { run_id: runId, owner = "" } = before;
  await readBody(context.env.incoming, resumeRunSchema, limitsOf(parts));
  if (!executor.isOpen) throw new EngineError("server.draining");
  const settings = serverSettingsOf(stored.request);
  if (settings === undefined)
    throw new EngineError("run.not_resumable", { runId, problem: "its workspace was not stored" });
  await options.checkBudget?.(owner);
  const record = await locks.run(runId, async () => {
    if (dispatcher.find(runId) !== undefined) throw new EngineError("server.run_at_work", { runId });
    const seat = scheduler.reserve(owner);
    try {
      if (settings.webhookUrl !== undefined) await webhooks?.note(runId);
      const queued = await requeueSession(runId, { ...options.session, store, now: options.now });
      dispatcher.enqueue({ runId, owner, queuedAtMs: queuedAtMsOf(queued) }, seat);
      return queued;
    } catch (error) {
      throw EngineError.is(error, "run.leased") ? new EngineError("server.run_at_work", { runId }) : error;
    } finally {
      seat.release();
    }
  });
  dispatcher.pump();
  return json(context, toRunView(record, { isHeld: false }), 202);
}

/**
 * Passes an answer to a run. Throws `server.missing_role` if the access table does not allow the caller to answer this
 * kind of question.
 */
async function answerRun(context: RequestContext, parts: RunsParts): Promise<Response> {
  const { record } = await namedRun(context, parts);
  const { run_id: runId, status } = record;
  const { prompt_id: promptId, text } = await readBody(context.env.incoming, answerRunSchema, limitsOf(parts));
  if (status === "queued" || TERMINAL_RUN_STATUSES.includes(status)) {
    throw notAtWork(runId, status === "queued" ? "waiting" : "over");
  }
  const question =
    parts.dispatcher.find(runId)?.progress.questionOf(promptId) ?? (await storedQuestion(parts, runId, promptId));
  // Only known questions are answered, because the kind of an unknown one cannot be checked.
  if (question === undefined) throw new EngineError("prompt.unknown", { promptId });
  const action = question.approval === undefined ? "answerQuestion" : "answerApproval";
  context.set("action", action);
  context.set("answer", { promptId, text });
  assertAccess(context, action);
  const promptKind = question.approval === undefined ? "question" : "approval";
  await parts.dispatcher.control(runId, { kind: "answer", promptId, text, promptKind });
  return accepted(context, runId);
}

/** Finds an open question in the stored events of a run that a worker executes. `undefined` if there is none. */
async function storedQuestion(
  { store, view }: RunsParts,
  runId: string,
  promptId: string,
): Promise<OpenQuestion | undefined> {
  if (view === undefined) return undefined;
  const progress = new RunProgress();
  for await (const envelope of store.events(runId)) await progress.publish(envelope);
  return progress.questionOf(promptId);
}

async function readArtifact(context: RequestContext, parts: RunsParts): Promise<Response> {
  const { stored } = await namedRun(context, parts);
  const [, tail = ""] = /^\/v1\/runs\/[^/]+\/artifacts\/(.*)$/su.exec(context.req.path) ?? [];
  const bytes = await openArtifact(stored, decoded(tail, stored.runId), {
    masker: parts.masker,
    cluster: parts.options.cluster,
  });
  return attachment(bytes, "application/octet-stream");
}

function attachment(bytes: ReadableStream<Uint8Array>, contentType: string): Response {
  return new Response(bytes, {
    headers: {
      ...NO_STORE,
      "content-type": contentType,
      // Browsers must not execute an artifact, whatever its content.
      "content-disposition": "attachment",
      "x-content-type-options": "nosniff",
    },
  });
}

function decoded(path: string, runId: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new EngineError("server.unknown_artifact", { runId }, { cause });
  }
}

/** Returns the run that the URL names, if the caller may access it. */
async function namedRun(context: RequestContext, { store }: RunsParts): Promise<FoundRun> {
  context.set("isCallers", true);
  const found = await findRun(store, context.get("caller"), context.req.param("run_id") ?? "");
  context.set("about", { ...context.get("about"), run_id: found.record.run_id });
  context.set("runOwner", found.record.owner);
  return found;
}

/**
 * Returns the run that the URL names. If the run has just ended, first waits until its process has released it. An
 * active run is returned immediately.
 */
async function restingRun(context: RequestContext, parts: RunsParts): Promise<FoundRun> {
  const found = await namedRun(context, parts);
  return (await parts.dispatcher.ended(found.record.run_id)) ? namedRun(context, parts) : found;
}

function limitsOf({ options, closing }: RunsParts) {
  return bodyLimitsOf(options, closing);
}

function json(context: RequestContext, body: unknown, status: 200 | 201 | 202 = 200): Response {
  return context.body(JSON.stringify(body), status, { ...NO_STORE, "content-type": "application/json; charset=utf-8" });
}

function created(context: RequestContext, run: { readonly run_id: string }): Response {
  const response = json(context, run, 201);
  response.headers.set("location", `/v1/runs/${run.run_id}`);
  return response;
}

function accepted(context: RequestContext, runId: string): Response {
  return json(context, { run_id: runId, accepted: true }, 202);
}
