import { endOrphanedProcesses } from "@switchyard/runner";
import type { CommandContext } from "../context/command-context.ts";

/**
 * Returns a function that is called when the workspace lock of a dead process is taken over. The function ends
 * processes that the earlier run left in the folder, and prints their number.
 */
export function endOrphanedProcessesOf(
  { env, stderr }: CommandContext,
  state: string,
): (folder: string, earlierRunId: string) => Promise<void> {
  return async (root, earlierRunId) => {
    const place = { stateDirectory: state, environment: { type: "local", root, env } } as const;
    // If the earlier run was deleted, its processes cannot be found.
    const ended = await endOrphanedProcesses(earlierRunId, place).catch(() => 0);
    if (ended === 0) return;
    stderr.write(
      `note: ended ${ended === 1 ? "one process" : `${ended} processes`} that run ${earlierRunId} had left running.\n`,
    );
  };
}
