import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import { RUN_FILES } from "../run-files/run-files.ts";
import { takeTemporarySnapshot } from "../workspace-diff/temporary-snapshot.ts";
import { NO_CHANGES } from "../workspace-diff/workspace-changes.ts";
import { reopenSnapshot, takeSnapshot, type WorkspaceSnapshot } from "../workspace-diff/workspace-snapshot.ts";
import type { RunningSession } from "./running-session.ts";

/**
 * The workspace as it was before the engine began for the first time: of one on this machine, and of one that will be gone
 * with the run, wherever it is. Nothing for others: only places on this machine can share a folder with the runner.
 */
export async function beginSnapshot(session: RunningSession): Promise<WorkspaceSnapshot | undefined> {
  const { environment, options, place } = session.plan;
  if (options.workspaceDiff === false) return undefined;
  try {
    if (place.isTemporary) {
      return await takeTemporarySnapshot(environment, { scratch: scratchOf(session), env: place.env });
    }
    if (environment.name === "local") return await takeOrReopen(session, environment);
    return place.hostFolder === undefined ? undefined : await snapshotFromHere(session, place.hostFolder);
  } catch (error) {
    const problem = messageOf(error);
    await session.events.warn("workspace_diff", `The changes to the workspace will not be in the report: ${problem}`);
    return undefined;
  }
}

/** Folder of a run for the snapshot of its workspace. */
export function scratchOf({ writer }: Pick<RunningSession, "writer">): string {
  return join(writer.folder, RUN_FILES.scratch);
}

/**
 * A sandbox or a container that shares a folder with this machine: git runs outside, where its snapshots can be kept.
 * It heeds nothing that the repository configures.
 */
async function snapshotFromHere(session: RunningSession, root: string): Promise<WorkspaceSnapshot | undefined> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  const { env } = session.plan.place;
  const before = await openLocalEnvironment({ root, env });
  await using _ = before;
  if ((await takeOrReopen(session, before)) === undefined) return undefined;
  return {
    changes: async () => {
      await using after = await openLocalEnvironment({ root, env });
      const kept = await reopenSnapshot(after, scratchOf(session));
      return (await kept?.changes()) ?? NO_CHANGES;
    },
  };
}

function takeOrReopen(
  session: RunningSession,
  environment: ExecutionEnvironment,
): Promise<WorkspaceSnapshot | undefined> {
  return session.attempt === 1 ? takeNew(session, environment) : goOn(session, environment);
}

function takeNew(
  { plan, stop, writer }: RunningSession,
  environment: ExecutionEnvironment,
): Promise<WorkspaceSnapshot | undefined> {
  // Runs are neighbours: what a store keeps of them is no part of the workspace.
  const excluded = plan.options.stateDirectory ?? dirname(writer.folder);
  return takeSnapshot(environment, { scratch: scratchOf({ writer }), excluded, signal: stop.requested });
}

async function goOn(
  session: RunningSession,
  environment: ExecutionEnvironment,
): Promise<WorkspaceSnapshot | undefined> {
  const { plan, writer } = session;
  const scratch = scratchOf({ writer });
  const kept = await reopenSnapshot(environment, scratch);
  if (kept !== undefined) return kept;
  // It was cut off before anything was done, or the snapshot before that is lost.
  await rm(scratch, { recursive: true, force: true });
  const taken = await takeNew(session, environment);
  if (taken !== undefined && plan.checkpoint !== undefined) {
    throw new Error("the state before the first attempt is not known");
  }
  return taken;
}
