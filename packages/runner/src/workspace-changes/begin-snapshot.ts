import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import {
  NO_CHANGES,
  reopenSnapshot,
  takeSnapshot,
  takeTemporarySnapshot,
  type WorkspaceSnapshot,
} from "@switchyard/workspace";
import { RUN_FILES } from "../run-files/run-files.ts";
import type { RunningSession } from "../session/running-session.ts";

/**
 * The workspace as it was before the engine began for the first time: of one that stays by the git
 * that is where it is, and of one that will be gone with the run by a copy. Nothing where there is no git.
 */
export async function beginSnapshot(session: RunningSession): Promise<WorkspaceSnapshot | undefined> {
  const { plan } = session;
  const { environment, options, location } = plan;
  if (options.workspaceDiff === false) return undefined;
  try {
    if (location.isTemporary) {
      return await takeTemporarySnapshot(environment, { scratch: scratchOf(session), env: location.env });
    }
    if (environment.name === "local") return await takeOrReopen(session, environment);
    if (location.hostFolder !== undefined) return await snapshotOnHost(session, location.hostFolder);
    // In an environment that somebody else opened nothing is started that the engine does not start.
    return plan.ownsEnvironment ? await snapshotInEnvironment(session, environment) : undefined;
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
async function snapshotOnHost(session: RunningSession, root: string): Promise<WorkspaceSnapshot | undefined> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  const { env } = session.plan.location;
  const before = await openLocalEnvironment({ root, env });
  await using _ = before;
  if ((await takeOrReopen(session, before)) === undefined) return undefined;
  return {
    changes: async () => {
      await using after = await openLocalEnvironment({ root, env });
      const kept = await reopenSnapshot(after, { scratch: scratchOf(session), excluded: excludedOf(session) });
      return (await kept?.changes()) ?? NO_CHANGES;
    },
  };
}

/** Makes the folder of a run in a place elsewhere, for its user alone, and prints its path. */
const MAKE_FOLDER =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell.
  'umask 077 && d="${XDG_CACHE_HOME:-$HOME/.cache}/switchyard/$1" && mkdir -p -- "$d" && printf %s "$d"';

/** A place elsewhere that outlives the run: what is compared stays there, below the user's cache. */
async function snapshotInEnvironment(
  session: RunningSession,
  environment: ExecutionEnvironment,
): Promise<WorkspaceSnapshot | undefined> {
  const { runId } = session.plan;
  const made = await environment.exec(["sh", "-c", MAKE_FOLDER, "sh", runId], { env: { policy: "core" } });
  if (made.exitCode !== 0 || !made.stdout.startsWith("/")) return undefined;
  const there = made.stdout;
  const discard = async (): Promise<void> => {
    await environment.exec(["rm", "-rf", "--", there], { env: { policy: "core" } });
  };
  const taken = await takeOrReopen(session, environment, there).catch(async (error: unknown) => {
    await discard();
    throw error;
  });
  if (taken === undefined) await discard();
  return taken === undefined ? undefined : { ...taken, discard };
}

function takeOrReopen(
  session: RunningSession,
  environment: ExecutionEnvironment,
  there?: string,
): Promise<WorkspaceSnapshot | undefined> {
  return session.attempt === 1 ? takeNew(session, environment, there) : reopenOrTake(session, environment, there);
}

function takeNew(
  { plan, stop, writer }: RunningSession,
  environment: ExecutionEnvironment,
  there: string | undefined,
): Promise<WorkspaceSnapshot | undefined> {
  const scratch = scratchOf({ writer });
  return takeSnapshot(environment, { scratch, there, excluded: excludedOf({ plan, writer }), signal: stop.requested });
}

/** Runs are neighbours: what a store keeps of them is no part of the workspace. */
function excludedOf({ plan, writer }: Pick<RunningSession, "plan" | "writer">): string {
  return plan.options.stateDirectory ?? dirname(writer.folder);
}

async function reopenOrTake(
  session: RunningSession,
  environment: ExecutionEnvironment,
  there: string | undefined,
): Promise<WorkspaceSnapshot | undefined> {
  const { plan, writer } = session;
  const scratch = scratchOf({ writer });
  const kept = await reopenSnapshot(environment, { scratch, there, excluded: excludedOf(session) });
  if (kept !== undefined) return kept;
  // It was cut off before anything was done, or the snapshot before that is lost.
  await rm(scratch, { recursive: true, force: true });
  const taken = await takeNew(session, environment, there);
  if (taken !== undefined && plan.checkpoint !== undefined) {
    throw new Error("the state before the first attempt is not known");
  }
  return taken;
}
