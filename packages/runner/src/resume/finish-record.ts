import {
  RESUMABLE_RUN_STATUSES,
  type RunRecord,
  type RunStore,
  type RunWriter,
  toUsageView,
} from "@switchyard/contracts";

/**
 * Completes the stored record of a run whose report shows that the run has ended. The record is incomplete if the
 * process was killed after writing the report, or if an older record was restored. Resolves with the completed record,
 * or with `undefined` if the run has not ended. Rejects with `run.store_failed`. See durability promise D7.
 */
export async function finishRecord(store: Pick<RunStore, "show">, writer: RunWriter): Promise<RunRecord | undefined> {
  const { report } = await store.show(writer.runId);
  if (report === undefined || RESUMABLE_RUN_STATUSES.includes(report.status)) return undefined;
  const { status, timing, usage, result } = report;
  const sessionId = result?.session_id;
  await writer.update({
    ...{ status, finished_at: timing.finishedAt, usage: toUsageView(usage) },
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
  });
  return writer.record;
}
