import { RESUMABLE_RUN_STATUSES, type RunRecord, type RunStore, type RunWriter } from "@switchyard/contracts";

/**
 * Finishes the record of a run whose report shows that the run has ended. The record is unfinished if the process was
 * killed between the writes of report and record, or if an older record was restored. Resolves with the finished
 * record, or with `undefined` if the run has not ended. Rejects with `run.store_failed`. D7.
 */
export async function finishRecord(store: Pick<RunStore, "show">, writer: RunWriter): Promise<RunRecord | undefined> {
  const { report } = await store.show(writer.runId);
  if (report === undefined || RESUMABLE_RUN_STATUSES.includes(report.status)) return undefined;
  const { status, timing } = report;
  await writer.update({ status, finished_at: timing.finishedAt });
  return writer.record;
}
