import { type ChangesPlace, locateChanges } from "@switchyard/runner";
import type { World } from "../world/world.ts";

/** Where the changes of a run in a workspace are applied: the whole repository, or the folder itself. Rejects with `workspace.*`. */
export async function applyFolderOf(world: World, workspace: string): Promise<ChangesPlace> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  await using environment = await openLocalEnvironment({ root: workspace, env: world.env });
  return await locateChanges(environment);
}
