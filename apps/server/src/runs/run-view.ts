import type { ArtifactView, RunDetail, RunView, UsageView } from "@switchyard/contracts";
import {
  type ArchivedArtifact,
  RESUMABLE_RUN_STATUSES,
  type RunRecord,
  type SessionReport,
  type StoredRun,
  TERMINAL_RUN_STATUSES,
  toUsageView,
} from "@switchyard/contracts";
import type { RunProgress } from "./run-progress.ts";

/** State of a run that its stored record does not contain. */
export interface RunState {
  /** Whether a live process may write to the run. */
  readonly isHeld: boolean;
  /** Progress of the run. `undefined` if this server does not execute the run. */
  readonly progress?: RunProgress | undefined;
}

/** Returns the representation of a run in API responses, without local paths. */
export function toRunView(record: RunRecord, { isHeld, progress }: RunState): RunView {
  const { run_id, parent_run_id, owner, engine, model, title, status, attempt, worker, commit } = record;
  const { created_at, started_at, finished_at } = record;
  const usage = usageOf(record, progress);
  return {
    run_id,
    ...(parent_run_id === undefined ? {} : { parent_run_id }),
    ...(owner === undefined ? {} : { owner }),
    engine,
    ...(model === undefined ? {} : { model }),
    ...{ title, status, attempt, created_at },
    ...(worker === undefined ? {} : { worker }),
    ...(commit === undefined ? {} : { commit }),
    ...(started_at === undefined ? {} : { started_at }),
    ...(finished_at === undefined ? {} : { finished_at }),
    resumable: status !== "queued" && RESUMABLE_RUN_STATUSES.includes(status) && !isHeld,
    ...(usage === undefined ? {} : { usage }),
    ...(progress === undefined ? {} : { activity: progress.activity }),
  };
}

/**
 * Returns the usage of all attempts to execute a run: the stored usage of earlier attempts plus that of the current
 * attempt so far.
 */
function usageOf({ usage, finished_at }: RunRecord, progress: RunProgress | undefined): UsageView | undefined {
  if (progress === undefined || finished_at !== undefined || progress.usage.totalTokens === 0) return usage;
  const current = toUsageView(progress.usage);
  if (usage === undefined) return current;
  const costMicros = addKnown(usage.cost_micros, current.cost_micros);
  const cached = addKnown(usage.cache_read_tokens, current.cache_read_tokens);
  return {
    input_tokens: usage.input_tokens + current.input_tokens,
    output_tokens: usage.output_tokens + current.output_tokens,
    total_tokens: usage.total_tokens + current.total_tokens,
    ...(cached === undefined ? {} : { cache_read_tokens: cached }),
    ...(costMicros === undefined ? {} : { cost_micros: costMicros }),
  };
}

function addKnown(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
}

/**
 * Returns the representation of a run, with its outcome if the run has ended. A resumed run that is queued or active has
 * no outcome, although the report of its earlier attempt is still stored.
 */
export function toRunDetail(
  record: RunRecord,
  { lease, report }: StoredRun,
  progress?: RunProgress | undefined,
): RunDetail {
  const view = toRunView(record, { isHeld: lease?.isHeld === true, progress });
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
