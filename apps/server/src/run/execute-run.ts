import {
  EngineError,
  findEngineError,
  type Publisher,
  type RunStatus,
  type RunStore,
  type SessionHandle,
  type StoredRun,
  toEngineError,
} from "@switchyard/contracts";
import { requeueSession, resumeSession, type SessionOptions, settleSession } from "@switchyard/runner";
import { serverSettingsOf } from "../runs/server-settings.ts";
import type { ServerOptions } from "../server/server-options.ts";
import type { BudgetClaim } from "./claim-budget.ts";
import type { RunSlot } from "./run-executor.ts";

/** What a process needs to execute stored runs. */
export interface ExecutionParts
  extends Pick<ServerOptions, "session" | "openEnvironment" | "stateDirectory" | "now" | "onError" | "resumeOnStart"> {
  /** Store of the runs. */
  readonly store: RunStore;
  /** Further session options. */
  readonly more?: Pick<SessionOptions, "worker"> & { readonly isMoved?: boolean };
}

/** What is needed for one attempt to execute a stored run. */
export interface ExecutedRun {
  /** Id of the run. */
  readonly runId: string;
  /** Slot that the attempt uses. The caller releases it. */
  readonly slot: RunSlot;
  /** Counts the run as active in the budgets that it shares with other runs, until the attempt has ended. */
  readonly claim: BudgetClaim;
  /** The run as it was read from the store. Default: it is read. */
  readonly stored?: StoredRun | undefined;
  /** Prepares the workspace and resolves with its absolute local path. */
  readonly openWorkspace: (stored: StoredRun) => Promise<string>;
  /** Returns the publisher that receives the events of the run. */
  readonly observerOf: (stored: StoredRun) => Publisher;
  /** Called when the attempt has started. */
  readonly onStart: (handle: SessionHandle) => void;
}

/**
 * Executes a stored run, or resumes it, and resolves with the status of the run when its outcome is stored. At
 * shutdown, a run that has not started stays `queued`. Never rejects.
 */
export async function executeRun(run: ExecutedRun, parts: ExecutionParts): Promise<RunStatus> {
  let isStarted = false;
  const onStart = (handle: SessionHandle): void => {
    isStarted = true;
    run.onStart(handle);
  };
  try {
    return await attempt({ ...run, onStart }, parts);
  } catch (error) {
    if (!isTaken(error)) parts.onError?.(error);
    return isStarted ? "error" : settleFailed(run, parts, error);
  } finally {
    await run.claim.budget?.close();
  }
}

async function attempt(run: ExecutedRun, parts: ExecutionParts): Promise<RunStatus> {
  const { runId, slot, claim } = run;
  if (claim.error !== undefined) throw claim.error;
  const { session, store, openEnvironment, stateDirectory, now, onError, resumeOnStart, more } = parts;
  const stored = run.stored ?? (await store.show(runId));
  const workspace = await run.openWorkspace(stored);
  slot.stopped.throwIfAborted();
  const handle = await resumeSession(runId, {
    ...{ ...session, ...more, store, stateDirectory, now, onError, signal: slot.cancelled },
    openSharedBudget: async () => claim.budget,
    environment: openEnvironment(workspace, slot.stopped),
    observer: run.observerOf(stored),
    seen: stored,
    isAnswerable: serverSettingsOf(stored.request)?.isAwaited !== true,
  });
  run.onStart(handle);
  slot.attach(handle);
  const { status } = await handle.result;
  return isShutDown(slot) && resumeOnStart === true ? requeue(runId, status, parts) : status;
}

/** Returns whether a run was interrupted because this process shuts down. */
export function isShutDown(slot: RunSlot): boolean {
  return slot.interrupt?.cause === "host_shutdown";
}

/**
 * Queues a run again that this process interrupted at shutdown, so that another process resumes it. Returns the new
 * status.
 */
async function requeue(runId: string, status: RunStatus, { session, store, now }: ExecutionParts): Promise<RunStatus> {
  if (status !== "interrupted") return status;
  return requeueSession(runId, { ...session, store, now }).then(
    () => "queued",
    () => status,
  );
}

/** Returns whether a run could not start because another process works on it or has ended it, which is no failure. */
function isTaken(error: unknown): boolean {
  return EngineError.is(error, "run.leased") || EngineError.is(error, "run.finished");
}

/**
 * Records the failure of a run that could not start. At shutdown the run stays queued, so that another process starts
 * it. Returns the status.
 */
async function settleFailed({ runId, slot }: ExecutedRun, parts: ExecutionParts, error: unknown): Promise<RunStatus> {
  if (isShutDown(slot)) return "queued";
  if (isTaken(error)) return "running";
  const { interrupt } = slot;
  const cause = interrupt === undefined ? undefined : new EngineError("run.interrupted", { cause: interrupt.cause });
  return settleRun(runId, cause ?? findEngineError(error) ?? toEngineError(error), parts);
}

/** Ends a run that no process works on, with an error. Resolves with the status of the run. Never rejects. */
export async function settleRun(
  runId: string,
  error: EngineError,
  { session, store, now, onError }: Pick<ExecutionParts, "session" | "store" | "now" | "onError">,
): Promise<RunStatus> {
  try {
    return (await settleSession(runId, { ...session, store, now, error })).status;
  } catch (failure) {
    onError?.(failure);
    return "error";
  }
}
