import {
  EngineError,
  RESUMABLE_RUN_STATUSES,
  type RunRecord,
  type RunRequest,
  type StoredRun,
} from "@switchyard/contracts";
import { fromSettings } from "./run-settings.ts";
import { hasPersistentFiles } from "./stored-environment.ts";

/**
 * Throws if a run cannot be resumed, as far as this is known without loading checkpoints. Call it before API keys and
 * models are checked, so that the user does not configure them in vain. Returns the record and the request of the run.
 * Throws `run.not_resumable`, `run.finished` or the problem of a damaged run.
 */
export function assertResumable({ runId, record, request, problems }: StoredRun): {
  record: RunRecord;
  request: RunRequest;
} {
  const [problem] = problems;
  if (record === undefined || request === undefined) {
    throw problem ?? new EngineError("run.not_resumable", { runId, problem: "its request was not stored" });
  }
  if (!RESUMABLE_RUN_STATUSES.includes(record.status)) throw new EngineError("run.finished", { runId });
  if (fromSettings(request).isDemo === true) {
    throw new EngineError("run.not_resumable", { runId, problem: "it is a demo" });
  }
  if (!hasPersistentFiles(fromSettings(request).environment)) {
    throw new EngineError("run.not_resumable", { runId, problem: "its files were temporary and are gone" });
  }
  return { record, request };
}
