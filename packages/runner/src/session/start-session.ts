import {
  isoTime,
  type RunRecord,
  type SessionHandle,
  type SessionInput,
  type SessionReport,
} from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { RunBudget } from "@switchyard/stores/budget";
import { assertOutput } from "../output/assert-output.ts";
import { assertOptions } from "../preflight/check-session.ts";
import { NO_EARLIER_ATTEMPTS } from "../resume/earlier-attempts.ts";
import { createRunId } from "../run-files/run-id.ts";
import { titleOf } from "./board-from-session.ts";
import { completeWithBudget } from "./complete-with-budget.ts";
import { assertSettings, requestOf } from "./run-request.ts";
import { createRunningSession } from "./running-session.ts";
import { createSessionHandle } from "./session-handle.ts";
import { openSessionStore, planSession, type SessionPlan } from "./session-plan.ts";
import type { StartSessionOptions } from "./start-session-options.ts";

/**
 * Starts a session. Resolves with its handle once the run is stored and listed (durability promise D1) and the engine
 * has started. If the call rejects, the engine has not run. Rejects with `input.*`, `engine.*`, `workspace.*`,
 * `environment.*`, `budget.*`, `run.invalid_id`, `run.conflict` or `run.store_failed`.
 */
export async function startSession(input: SessionInput, options: StartSessionOptions): Promise<SessionHandle> {
  assertOptions(options);
  await assertOutput(options.output);
  assertSettings(options);
  const runId = options.runId ?? createRunId((options.now ?? Date.now)());
  assertRunId(runId);
  const store = await openSessionStore(options);
  const { parentRunId, owner } = options;
  const plan = await planSession(input, options, { runId, parentRunId, owner, store });
  let sharedBudget: RunBudget | undefined;
  try {
    sharedBudget = await options.openSharedBudget?.({ owner, signal: options.signal });
    const writer = await store.create(recordOf(plan), requestOf(plan.input, options, plan.masker));
    const session = createRunningSession(plan, { writer, attempt: 1, earlier: NO_EARLIER_ATTEMPTS, sharedBudget });
    return createSessionHandle(session, completeWithBudget(session, sharedBudget));
  } catch (error) {
    await sharedBudget?.close();
    if (plan.ownsEnvironment) await plan.environment[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Runs a session and resolves with its report. Rejects only if the session cannot be started; see {@link startSession}.
 */
export async function runSession(input: SessionInput, options: StartSessionOptions): Promise<SessionReport> {
  const handle = await startSession(input, options);
  return handle.result;
}

function recordOf(plan: SessionPlan): RunRecord {
  const { runId, parentRunId, input, options, engineName, masker, now } = plan;
  const { processMark, name: environment } = plan.environment;
  const { owner } = plan;
  const model = input.model ?? options.model;
  const began = isoTime(now());
  return {
    format: 1,
    run_id: runId,
    ...(parentRunId === undefined ? {} : { parent_run_id: parentRunId }),
    ...(owner === undefined ? {} : { owner }),
    engine: engineName,
    ...(model === undefined ? {} : { model }),
    workspace: input.workspace,
    environment,
    ...(processMark === undefined ? {} : { process_mark: processMark }),
    title: masker.mask(titleOf(input)),
    status: "running",
    attempt: 1,
    ...{ created_at: began, started_at: began },
    created_by: options.createdBy ?? "@switchyard/runner",
  };
}
