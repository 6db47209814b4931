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
 * Takes a snapshot of the workspace before the engine starts for the first time. If the workspace is deleted when the
 * run ends, the snapshot is a copy of it. Otherwise the snapshot uses git. `undefined` if no snapshot is taken, for
 * example because git is missing.
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
    // No snapshot is taken if the caller opened the environment: the runner starts no processes in it.
    return plan.ownsEnvironment ? await snapshotInEnvironment(session, environment) : undefined;
  } catch (error) {
    const problem = messageOf(error);
    await session.events.warn("workspace_diff", `The changes to the workspace will not be in the report: ${problem}`);
    return undefined;
  }
}

/** Returns the folder in which the workspace snapshot of a run is stored. */
export function scratchOf({ writer }: Pick<RunningSession, "writer">): string {
  return join(writer.folder, RUN_FILES.scratch);
}

/**
 * Takes a snapshot for a sandbox or a container whose folder is shared with this machine. git runs on the host, which
 * can store the snapshots, and ignores the repository's configuration.
 */
async function snapshotOnHost(session: RunningSession, root: string): Promise<WorkspaceSnapshot | undefined> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  const { env } = session.plan.location;
  const before = await openLocalEnvironment({ root, env });
  await using _ = before;
  if ((await takeOrReopen(session, before)) === undefined) return undefined;
  return {
    changes: async (engineFiles) => {
      await using after = await openLocalEnvironment({ root, env });
      const reopened = await reopenSnapshot(after, { scratch: scratchOf(session), excluded: excludedOf(session) });
      return (await reopened?.changes(engineFiles)) ?? NO_CHANGES;
    },
  };
}

/** Shell script that creates a run's folder on the remote machine, accessible only to its user, and prints its path. */
const MAKE_FOLDER =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the command contains a shell variable.
  'umask 077 && d="${XDG_CACHE_HOME:-$HOME/.cache}/switchyard/$1" && mkdir -p -- "$d" && printf %s "$d"';

/**
 * Takes the snapshot of a remote workspace that outlives the run. The snapshot is stored on the remote machine, in the
 * user's cache folder.
 */
async function snapshotInEnvironment(
  session: RunningSession,
  environment: ExecutionEnvironment,
): Promise<WorkspaceSnapshot | undefined> {
  const { runId } = session.plan;
  const created = await environment.exec(["sh", "-c", MAKE_FOLDER, "sh", runId], { env: { policy: "core" } });
  if (created.exitCode !== 0 || !created.stdout.startsWith("/")) return undefined;
  const remoteFolder = created.stdout;
  const discard = async (): Promise<void> => {
    await environment.exec(["rm", "-rf", "--", remoteFolder], { env: { policy: "core" } });
  };
  const snapshot = await takeOrReopen(session, environment, remoteFolder).catch(async (error: unknown) => {
    await discard();
    throw error;
  });
  if (snapshot === undefined) await discard();
  return snapshot === undefined ? undefined : { ...snapshot, discard };
}

function takeOrReopen(
  session: RunningSession,
  environment: ExecutionEnvironment,
  remoteFolder?: string,
): Promise<WorkspaceSnapshot | undefined> {
  return session.attempt === 1
    ? takeNew(session, environment, remoteFolder)
    : reopenOrTake(session, environment, remoteFolder);
}

function takeNew(
  { plan, stop, writer }: RunningSession,
  environment: ExecutionEnvironment,
  remoteFolder: string | undefined,
): Promise<WorkspaceSnapshot | undefined> {
  const scratch = scratchOf({ writer });
  return takeSnapshot(environment, {
    scratch,
    existing: remoteFolder,
    excluded: excludedOf({ plan, writer }),
    signal: stop.requested,
  });
}

/** Returns the folder that stores runs. Snapshots exclude it, because it may be inside the workspace. */
function excludedOf({ plan, writer }: Pick<RunningSession, "plan" | "writer">): string {
  return plan.options.stateDirectory ?? dirname(writer.folder);
}

async function reopenOrTake(
  session: RunningSession,
  environment: ExecutionEnvironment,
  remoteFolder: string | undefined,
): Promise<WorkspaceSnapshot | undefined> {
  const { plan, writer } = session;
  const scratch = scratchOf({ writer });
  const reopened = await reopenSnapshot(environment, {
    scratch,
    existing: remoteFolder,
    excluded: excludedOf(session),
  });
  if (reopened !== undefined) return reopened;
  // There is no snapshot if the earlier attempt ended before its snapshot was complete, or if the snapshot was lost.
  await rm(scratch, { recursive: true, force: true });
  const snapshot = await takeNew(session, environment, remoteFolder);
  if (snapshot !== undefined && plan.checkpoint !== undefined) {
    throw new Error("the state before the first attempt is not known");
  }
  return snapshot;
}
