import { endOrphanedProcesses } from "@switchyard/runner";
import type { CommandContext } from "../context/command-context.ts";

/** Ends what an earlier run left running in a folder whose lock was taken over, and says so. */
export function endOrphanedProcessesOf(
  { env, stderr }: CommandContext,
  state: string,
): (folder: string, earlierRunId: string) => Promise<void> {
  return async (root, earlierRunId) => {
    const place = { stateDirectory: state, environment: { type: "local", root, env } } as const;
    // The earlier run may have been removed: then nothing is known of its processes.
    const ended = await endOrphanedProcesses(earlierRunId, place).catch(() => 0);
    if (ended === 0) return;
    stderr.write(
      `note: ended ${ended === 1 ? "one process" : `${ended} processes`} that run ${earlierRunId} had left running.\n`,
    );
  };
}
