import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "@switchyard/contracts";
import { RUN_FILES } from "../run-files/run-files.ts";
import { reopenSnapshot, takeSnapshot, type WorkspaceSnapshot } from "../workspace-diff/workspace-snapshot.ts";
import type { RunningSession } from "./running-session.ts";

/**
 * The workspace as it was before the engine began for the first time; nothing where it is no git repository. Only
 * places on this machine can share a folder with the runner.
 */
export async function beginSnapshot(session: RunningSession): Promise<WorkspaceSnapshot | undefined> {
  const { environment, options } = session.plan;
  if (options.workspaceDiff === false || environment.name !== "local") return undefined;
  try {
    return session.attempt === 1 ? await takeNew(session) : await goOn(session);
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

function takeNew({ plan, stop, writer }: RunningSession): Promise<WorkspaceSnapshot | undefined> {
  const { environment, options } = plan;
  // Runs are neighbours: what a store keeps of them is no part of the workspace.
  const excluded = options.stateDirectory ?? dirname(writer.folder);
  return takeSnapshot(environment, { scratch: scratchOf({ writer }), excluded, signal: stop.requested });
}

async function goOn(session: RunningSession): Promise<WorkspaceSnapshot | undefined> {
  const { plan, writer } = session;
  const scratch = scratchOf({ writer });
  const kept = await reopenSnapshot(plan.environment, scratch);
  if (kept !== undefined) return kept;
  // It was cut off before anything was done, or the snapshot before that is lost.
  await rm(scratch, { recursive: true, force: true });
  const taken = await takeNew(session);
  if (taken !== undefined && plan.checkpoint !== undefined) {
    throw new Error("the state before the first attempt is not known");
  }
  return taken;
}
