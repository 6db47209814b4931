import { EngineError, type ExecutionEnvironment, type RunRecord } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { SessionOptions } from "../session/session-options.ts";
import { openSessionStore } from "../session/session-plan.ts";

type MarkedRun = Pick<RunRecord, "process_mark">;

/**
 * Ends the processes that an attempt left running in an environment when the host process died. Resolves with the
 * number of ended processes. Resolves with 0 if the attempt ran in this environment object, because its processes are
 * then still in use.
 */
export async function endMarkedProcesses(
  environment: ExecutionEnvironment,
  { process_mark: mark }: MarkedRun,
): Promise<number> {
  if (mark === undefined || mark === environment.processMark) return 0;
  return (await environment.endMarked?.(mark)) ?? 0;
}

/**
 * Ends the orphaned processes of a run in the given environment. If a configuration is given, opens the environment
 * first. Removes containers and pods that were created for runs whose host process died. Resolves with the number of
 * processes, containers and pods that were ended or removed. Rejects with the errors of opening the environment.
 */
export async function endOrphanedProcessesIn(
  target: SessionOptions["environment"],
  record: MarkedRun,
): Promise<number> {
  if ("readFile" in target) return endMarkedProcesses(target, record);
  const { environmentFacts, openEnvironment, sweepEnvironment } = await import("@switchyard/environment");
  const removed = await sweepEnvironment(target);
  // If a container or pod was created for the run, its removal has already ended all of its processes.
  const isCreatedForRun = "image" in target && target.image !== undefined;
  if (record.process_mark === undefined || isCreatedForRun || environmentFacts(target).isTemporary) return removed;
  await using environment = await openEnvironment(target);
  return removed + (await endMarkedProcesses(environment, record));
}

/**
 * Ends the processes that a run left running when its host process died. Resolves with the number of ended processes
 * and removed containers and pods; 0 while another process works on the run. Rejects with `run.not_found`,
 * `run.store_failed` and the errors of opening the environment.
 */
export async function endOrphanedProcesses(
  runId: string,
  options: Pick<SessionOptions, "environment" | "store" | "stateDirectory">,
): Promise<number> {
  assertRunId(runId);
  const store = await openSessionStore(options);
  const writer = await store.acquire(runId).catch((error: unknown) => {
    if (EngineError.is(error, "run.leased")) return undefined;
    throw error;
  });
  if (writer === undefined) return 0;
  try {
    return await endOrphanedProcessesIn(options.environment, writer.record);
  } finally {
    await writer.release();
  }
}
