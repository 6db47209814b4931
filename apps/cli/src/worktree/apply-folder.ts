import { locateChanges } from "@switchyard/runner";
import type { World } from "../world/world.ts";

/** Where the changes of a run are applied. */
export interface ApplyFolder {
  /** Folder that their paths begin in. */
  readonly folder: string;
  /** Whether it is a plain one: in no repository, or in one that looks away from it. */
  readonly isAlone: boolean;
}

/** Where the changes of a run in a workspace are applied: the whole repository, or the folder itself. Rejects with `workspace.*`. */
export async function applyFolderOf(world: World, workspace: string): Promise<ApplyFolder> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  await using environment = await openLocalEnvironment({ root: workspace, env: world.env });
  const { folder, isPlain } = await locateChanges(environment);
  return { folder, isAlone: isPlain };
}
