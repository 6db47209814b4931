import type { SessionInput } from "@switchyard/contracts";
import { createRunId, sessionMasker } from "@switchyard/runner";
import { planPermissions } from "../approval/plan-permissions.ts";
import { acceptsSteering } from "../model/open-engine.ts";
import { usageError } from "../program/usage-error.ts";
import { withWorkspace } from "../worktree/claim-workspace.ts";
import type { World } from "../world/world.ts";
import { buildSessionInput } from "./build-session-input.ts";
import { type PlannedRun, prepareRun } from "./prepare-run.ts";
import { presentSession } from "./present-session.ts";
import type { RunOptions } from "./run-options.ts";
import { stateDirectory } from "./state-directory.ts";

/** Runs a task, shows it and reports it. Resolves with the exit code; rejects with what kept the run from starting. */
export async function executeRun(world: World, options: RunOptions): Promise<number> {
  const isOnward = options.from !== undefined || options.continue === true;
  if (!isOnward) return executeInput(world, options, await buildSessionInput(world, options));
  if (options.input !== undefined) throw usageError("--continue and --from go with a prompt, not with --input.", "run");
  if (options.prompt.trim() === "")
    throw usageError("Write what is to be done next behind --continue or --from.", "run");
  const { findEarlierRun, withHistory } = await import("../history/earlier-run.ts");
  const earlier = await findEarlierRun(world, options);
  const input = withHistory(await buildSessionInput(world, options), earlier);
  const model = options.model ?? earlier?.request.input.model ?? input.model;
  const onward = { ...options, ...(earlier === undefined ? {} : { forkedFrom: earlier.runId, patch: earlier.patch }) };
  return executeInput(world, onward, model === undefined ? input : { ...input, model });
}

/** Runs a session that is known by now, as the options say. */
export async function executeInput(world: World, options: RunOptions, input: SessionInput): Promise<number> {
  const state = stateDirectory(world, options.state);
  const permissions = await planPermissions(world, options);
  const { env: place, worktree, worktreeSubmodules, shareWorkspace } = options;
  const runId = createRunId(world.now());
  const shared = { place, state, runId, worktree, worktreeSubmodules, shareWorkspace, patch: options.patch };
  const claim = { workspace: input.workspace ?? world.workingDirectory, ...shared };
  const isReadOnly = permissions.choice.approve === "plan";
  const planned = { state, runId, permissions, command: "run", worktreeOf: worktree ? claim.workspace : undefined };
  return await withWorkspace(world, { ...claim, isReadOnly, command: "run" }, (workspace, there) =>
    runIn(there, options, { ...planned, input: { ...input, workspace } }),
  );
}

async function runIn(world: World, options: RunOptions, planned: PlannedRun): Promise<number> {
  const { approval: _, askUser: __, ...questions } = planned.permissions;
  return await presentSession(world, options, async () => {
    const { start, opened, isResumable } = await prepareRun(world, options, planned);
    const isSteerable = acceptsSteering(opened);
    const masker = async () => sessionMasker(opened);
    const { engineName } = opened;
    return { start, engineName, isSteerable, masker, isResumable, origin: planned.input.workspace, ...questions };
  });
}
