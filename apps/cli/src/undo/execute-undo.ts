import { EngineError, type StoredRun } from "@switchyard/contracts";
import { undoRun } from "@switchyard/runner";
import { hostWorkspaceOf } from "@switchyard/settings";
import { readDiff, renderUndo, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { findRun } from "../runs/open-runs.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { endOrphanedProcessesOf } from "../worktree/end-orphaned-processes.ts";
import type { UndoOptions } from "./undo-options.ts";

/**
 * Reverts the changes of a run. Resolves with the exit code. Rejects with `run.not_undoable` without changing anything.
 */
export async function executeUndo(context: CommandContext, id: string, options: UndoOptions): Promise<number> {
  const run = await findRun(context, await openRunStore(context, options), { ...options, id, command: "undo" });
  const state = stateDirectory(context, options.state);
  const diff = await undoRun(run, {
    ...{ env: context.env, stateDirectory: state, workspace: hostWorkspaceOf(run), now: context.now() },
    ...{ dryRun: options.dryRun, commits: options.commits, partial: options.partial },
    onTakeover: endOrphanedProcessesOf(context, state),
  }).catch((error: unknown) => {
    throw withRemedy(error);
  });
  print(context, { run, diff, options });
  return 0;
}

const REMEDIES: Readonly<Record<string, string>> = {
  partial: "--partial restores the others",
  commits: "--commits restores these",
};

/** If the undo would be possible with a command-line option, adds this option to the error message. */
function withRemedy(error: unknown): unknown {
  const remedy = EngineError.is(error, "run.not_undoable") ? REMEDIES[String(error.details["option"])] : undefined;
  if (remedy === undefined || !EngineError.is(error)) return error;
  const problem = `${String(error.details["problem"]).replace(/\.$/, "")}; ${remedy}.`;
  return new EngineError("run.not_undoable", { ...error.details, problem }, { cause: error });
}

interface Undone {
  readonly run: StoredRun;
  readonly diff: string;
  readonly options: UndoOptions;
}

function print({ stdout }: CommandContext, { run: { runId, report }, diff, options }: Undone): void {
  const isDone = options.dryRun !== true;
  const { workspaceLeftOut: leftOut = [], workspaceReferences: references = [] } = report ?? {};
  if (options.json === true) {
    const files = readDiff(diff).map(({ path }) => path);
    const more = {
      ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
      ...(references.length === 0 ? {} : { references, references_undone: isDone && options.commits === true }),
    };
    stdout.write(`${toPlainJson({ run_id: runId, undone: isDone, files, ...more })}\n`);
    return;
  }
  const lines = renderUndo({ diff, report, isDone, areCommitsRestored: options.commits === true });
  stdout.write(`${lines.join("\n")}\n`);
}
