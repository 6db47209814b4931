import { EngineError, isoTime, type ListedRun, type RunRecord, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { requeueSession, settleSession } from "@switchyard/runner";
import { queuedAtMsOf } from "../scheduler/scheduled-run.ts";
import type { RunsParts } from "./runs-parts.ts";
import { serverSettingsOf } from "./server-settings.ts";

/**
 * Error codes after which a run needs no recovery. Either another process executes or removed the run, or the run has
 * ended: its last process stored the report, but was killed before it updated the record.
 */
const NOTHING_TO_RECOVER = ["run.leased", "run.not_found", "run.finished"] as const;

/** Dependencies of `recoverRuns`. */
type RecoveryParts = Pick<RunsParts, "options" | "store" | "scheduler" | "dispatcher"> & {
  /** Called with the error of a run that could not be recovered. */
  readonly onError: (error: unknown) => void;
};

/**
 * Recovers runs that an earlier server process left, in order of arrival. Runs that started today count towards the daily
 * limits of their owners. Queued runs are queued again. Unfinished runs
 * resume if `resumeOnStart` is set and they are resumable; otherwise they end. Runs of other hosts and engines are not
 * changed. See durability promise D1.
 */
export async function recoverRuns(parts: RecoveryParts): Promise<void> {
  const { store, options, onError } = parts;
  const listed = await store.list();
  countStarts(listed, parts);
  const unfinished = listed.filter(isUnfinished).reverse();
  for (const { record } of unfinished) {
    if (record.engine !== (options.session.engineName ?? record.engine)) continue;
    const { request } = await store.show(record.run_id);
    const settings = serverSettingsOf(request);
    if (settings === undefined) continue;
    try {
      await recoverRun(record, settings.workspace, parts);
    } catch (error) {
      // If writing failed, the next server process recovers the run.
      if (!NOTHING_TO_RECOVER.some((code) => EngineError.is(error, code))) onError(error);
    }
  }
}

function countStarts(listed: readonly ListedRun[], { options, scheduler }: RecoveryParts): void {
  const day = isoTime((options.now ?? Date.now)()).slice(0, 10);
  for (const run of listed) {
    if (!("record" in run) || run.record.started_at?.startsWith(day) !== true) continue;
    const { owner } = run.record;
    // Runs without an owner belong to other programs that use the same folder.
    if (owner !== undefined) scheduler.countStart(owner, { runId: run.runId, day });
  }
}

function isUnfinished(run: ListedRun): run is Extract<ListedRun, { readonly record: RunRecord }> {
  return "record" in run && !run.lease.isHeld && !TERMINAL_RUN_STATUSES.includes(run.record.status);
}

async function recoverRun(
  record: RunRecord,
  workspace: string,
  { options, store, dispatcher }: RecoveryParts,
): Promise<void> {
  const { run_id: runId, owner = "" } = record;
  const sessionOptions = { ...options.session, store, now: options.now };
  const settle = async (): Promise<void> => {
    const environment = options.openEnvironment(workspace, new AbortController().signal);
    await settleSession(runId, { ...sessionOptions, environment });
  };
  let queued = record;
  if (record.status !== "queued") {
    if (options.resumeOnStart !== true) return settle();
    try {
      queued = await requeueSession(runId, sessionOptions);
    } catch (error) {
      if (EngineError.is(error, "run.leased")) throw error;
      return settle();
    }
  }
  dispatcher.enqueue({ runId, owner, queuedAtMs: queuedAtMsOf(queued) });
}
