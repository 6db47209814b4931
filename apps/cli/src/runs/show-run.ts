import type { StoredRun } from "@switchyard/contracts";
import { readUndoneAt, storedRunState } from "@switchyard/runner";
import { canBeResumed } from "@switchyard/settings";
import { renderStoredRun, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { resumeCommand } from "../run/resume-hint.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";
import { findRun } from "./open-runs.ts";

/**
 * Shows a run that is given by its id or a unique prefix of the id. Resolves with the exit code. Rejects with
 * `run.not_found`.
 */
export async function showRun(
  context: CommandContext,
  options: { id: string; json?: boolean } & StoreOptions,
): Promise<number> {
  const run = await findRun(context, await openRunStore(context, options), { ...options, command: "runs show" });
  const undoneAt = await readUndoneAt(run);
  const state = run.record === undefined ? undefined : storedRunState(run.record, run.lease);
  const canResume = state?.isResumable === true && canBeResumed(run);
  const resume = canResume ? resumeCommand(run.runId, options) : undefined;
  const lines =
    options.json === true
      ? [toPlainJson({ ...toJson(run), undone_at: undoneAt })]
      : renderStoredRun(run, { undoneAt, status: state?.status, resumeCommand: resume });
  context.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

function toJson({ folder, record, report, lease, problems }: StoredRun): Record<string, unknown> {
  const state = record === undefined ? undefined : storedRunState(record, lease);
  return {
    folder,
    record,
    cut_off: state?.isCutOff,
    resumable: report?.resumeError === undefined ? state?.isResumable : false,
    report,
    problems: problems.map((one) => one.toWire()),
  };
}
