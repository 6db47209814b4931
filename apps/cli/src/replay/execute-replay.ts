import { mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { EngineError, type StoredRun } from "@switchyard/contracts";
import { openReplayEngine } from "@switchyard/engine-catalog";
import { exitCodeOf, openReplayWorktree, openRunReplay, type RunReplay, startSession } from "@switchyard/runner";
import { fromSettings, hostWorkspaceOf, withSignal } from "@switchyard/settings";
import {
  createView,
  neutraliseControls,
  plural,
  printReportError,
  showWait,
  toPlainJson,
  watchSession,
} from "@switchyard/terminal";
import { planPermissions } from "../approval/plan-permissions.ts";
import type { CommandContext } from "../context/command-context.ts";
import { engineHostOf } from "../engine/open-engine.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { findRun } from "../runs/open-runs.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { skillsFor } from "../trust/skills-for.ts";
import type { ReplayOptions } from "./replay-options.ts";

/**
 * Runs the engine again with the recorded model responses of a run. Resolves with 0 if every request matches the
 * recording, or with 1 at the first difference. Rejects with `run.not_replayable`, `cassette.malformed` and errors that
 * prevent the start.
 */
export async function executeReplay(context: CommandContext, id: string, options: ReplayOptions): Promise<number> {
  const store = await openRunStore(context, options);
  const run = await findRun(context, store, { ...options, id, command: "replay" });
  const replay = await openRunReplay(run);
  const scratch = await mkdtemp(join(context.temporaryDirectory, "switchyard-replay-"));
  try {
    if (options.workspace !== undefined) {
      const workspace = resolve(context.workingDirectory, options.workspace);
      return await play(context, replay, { run, workspace, scratch, options });
    }
    const opening = openReplayWorktree(run, {
      env: context.env,
      workspace: workspaceOf(run),
      stateDirectory: stateDirectory(context, options.state),
      scratch: join(scratch, "workspace"),
      now: context.now(),
    });
    const worktree = await showWait(context, `Restoring the files of run ${run.runId}`, opening);
    try {
      const { workspace, env } = worktree;
      return await play({ ...context, env }, replay, { run, workspace, scratch, options });
    } finally {
      await worktree.remove();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function workspaceOf(run: StoredRun): string {
  const workspace = hostWorkspaceOf(run);
  if (workspace !== undefined) return workspace;
  throw new EngineError("run.not_replayable", {
    runId: run.runId,
    problem: "its workspace is not on this machine. Give a copy with --workspace.",
  });
}

interface Playing {
  readonly run: StoredRun;
  readonly workspace: string;
  readonly scratch: string;
  readonly options: ReplayOptions;
}

async function play(
  context: CommandContext,
  replay: RunReplay,
  { run, workspace, scratch, options }: Playing,
): Promise<number> {
  const { request, calls } = replay;
  const { approval } = await planPermissions(context, {}, fromSettings(request));
  const skills = await skillsFor(context, { workspace });
  const state = stateDirectory(context, options.state);
  const opening = { run, replay, workspace, stateDirectory: state, approval, skills };
  await using played = await openReplayEngine(engineHostOf(context), opening);
  const { session: parts } = played;
  const start = (signal: AbortSignal) => {
    const session = startSession(
      { ...request.input, workspace },
      {
        ...{ ...parts, environment: withSignal(parts.environment, signal), signal },
        ...{ stateDirectory: scratch, workspaceDiff: false },
        userPrompter: { askUser: () => Promise.reject(new EngineError("prompt.unavailable")) },
      },
    );
    return showWait(context, `Replaying run ${run.runId}`, session);
  };
  const openView = () => createView(context, options.json === true ? "nothing" : "people");
  const report = await watchSession(context, start, { openView });
  if (report.status === "interrupted" || report.status === "cancelled") return exitCodeOf(report);
  const difference = played.findMismatch();
  if (options.json === true) {
    const found =
      difference === undefined ? {} : { difference: { ...difference.details, message: difference.message } };
    context.stdout.write(`${toPlainJson({ run_id: run.runId, same: difference === undefined, calls, ...found })}\n`);
  } else {
    const outcome =
      difference === undefined
        ? `No difference: ${plural(calls, "model call")} match the recording.`
        : `Difference: ${neutraliseControls(difference.message)}`;
    context.stdout.write(`\n${outcome}\n`);
  }
  // An engine that stopped early, for example because its command is missing, makes fewer calls.
  if (difference?.code === "cassette.unused") printReportError(context.stderr, report, {});
  return difference === undefined ? 0 : 1;
}
