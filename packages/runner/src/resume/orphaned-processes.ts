import { EngineError, type ExecutionEnvironment, type RunRecord } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { SessionOptions } from "../session/session-options.ts";
import { openSessionStore } from "../session/session-plan.ts";

type MarkedRun = Pick<RunRecord, "process_mark">;
type Place = SessionOptions["environment"];

/**
 * Ends the processes that an attempt left running in an environment when its own process died. Not those of this process's
 * own environment, when that is the one of the attempt. Resolves with their number.
 */
export async function endMarkedProcesses(
  environment: ExecutionEnvironment,
  { process_mark: mark }: MarkedRun,
): Promise<number> {
  if (mark === undefined || mark === environment.processMark) return 0;
  return (await environment.endMarked?.(mark)) ?? 0;
}

/**
 * The same in a place that is opened for it; containers and pods that were made for runs of dead hosts are removed.
 * Resolves with the number of all. Rejects with what reaching the place rejects with.
 */
export async function clearPlace(place: Place, record: MarkedRun): Promise<number> {
  if ("readFile" in place) return endMarkedProcesses(place, record);
  const { environmentFacts, openEnvironment, sweepEnvironment } = await import("@switchyard/environment");
  const swept = await sweepEnvironment(place);
  // What was made for the run went with its processes.
  const isMade = "image" in place && place.image !== undefined;
  if (record.process_mark === undefined || isMade || environmentFacts(place).isTemporary) return swept;
  await using environment = await openEnvironment(place);
  return swept + (await endMarkedProcesses(environment, record));
}

/**
 * Ends what a run that was cut off has left running in its place. Resolves with the number of processes, containers and
 * pods; with 0 while somebody works on the run. Rejects with `run.not_found`, `run.store_failed` and with what reaching the
 * place rejects with.
 */
export async function endLeftProcesses(
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
    return await clearPlace(options.environment, writer.record);
  } finally {
    await writer.release();
  }
}
