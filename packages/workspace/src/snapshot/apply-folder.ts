import type { HostVariables } from "@switchyard/environment";
import { type ChangesLocation, locateChanges } from "./workspace-snapshot.ts";

/**
 * Finds the folder to which the paths of a run's changes are relative: the top folder of the workspace's repository, or
 * the workspace itself. Rejects with `workspace.*` errors.
 */
export async function applyFolderOf(env: HostVariables, workspace: string): Promise<ChangesLocation> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  await using environment = await openLocalEnvironment({ root: workspace, env });
  return await locateChanges(environment);
}
