import type { ArtifactView, RunDetail, RunView } from "@switchyard/contracts";
import {
  type ArchivedArtifact,
  RESUMABLE_RUN_STATUSES,
  type RunLease,
  type RunRecord,
  type SessionReport,
  type StoredRun,
  TERMINAL_RUN_STATUSES,
  type Usage,
} from "@switchyard/contracts";

/** Returns the representation of a run in API responses, without local paths. */
export function toRunView(record: RunRecord, lease: RunLease | undefined): RunView {
  const { run_id, parent_run_id, owner, engine, model, title, status, attempt } = record;
  const { created_at, started_at, finished_at } = record;
  return {
    run_id,
    ...(parent_run_id === undefined ? {} : { parent_run_id }),
    ...(owner === undefined ? {} : { owner }),
    engine,
    ...(model === undefined ? {} : { model }),
    ...{ title, status, attempt, created_at },
    ...(started_at === undefined ? {} : { started_at }),
    ...(finished_at === undefined ? {} : { finished_at }),
    resumable: status !== "queued" && RESUMABLE_RUN_STATUSES.includes(status) && lease?.isHeld !== true,
  };
}

/**
 * Returns the representation of a run with its outcome. While a later attempt is active, the outcome is that of the
 * earlier attempt.
 */
export function toRunDetail(record: RunRecord, { lease, report }: StoredRun): RunDetail {
  const view = toRunView(record, lease);
  if (report === undefined || !TERMINAL_RUN_STATUSES.includes(record.status)) return view;
  const { result, output, error, resumeError, warnings, workspaceDiff } = report;
  return {
    ...view,
    resumable: view.resumable && resumeError === undefined,
    ...(result === undefined ? {} : { result }),
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    usage: toUsageView(report.usage),
    artifacts: toArtifactViews(report),
    ...(warnings === undefined ? {} : { warnings }),
    ...(workspaceDiff === undefined ? {} : { workspace_diff: workspaceDiff }),
  };
}

/** Returns the artifacts of a report. */
export function toArtifactViews({ artifacts }: Pick<SessionReport, "artifacts">): ArtifactView[] {
  return artifacts.map(({ name, path, bytes, contentType, dropped }: ArchivedArtifact) => ({
    name,
    ...(path === undefined ? {} : { path }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(contentType === undefined ? {} : { content_type: contentType }),
    ...(dropped === undefined ? {} : { dropped }),
  }));
}

function toUsageView({ inputTokens, outputTokens, totalTokens, costMicros }: Usage): RunDetail["usage"] {
  return {
    ...{ input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens },
    ...(costMicros === undefined ? {} : { cost_micros: costMicros }),
  };
}
