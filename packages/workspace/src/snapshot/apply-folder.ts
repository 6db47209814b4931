import type { HostVariables } from "@switchyard/environment";
import { type ChangesLocation, locateChanges } from "./workspace-snapshot.ts";

/**
 * Finds the folder that a run's changes are relative to: the top folder of its repository, or the workspace itself.
 * Rejects with `workspace.*`.
 */
export async function applyFolderOf(env: HostVariables, workspace: string): Promise<ChangesLocation> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  await using environment = await openLocalEnvironment({ root: workspace, env });
  return await locateChanges(environment);
}
