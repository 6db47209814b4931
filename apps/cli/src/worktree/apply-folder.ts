import type { World } from "../world/world.ts";
import { openGit } from "./run-git.ts";

/** Where the changes of a run are applied. */
export interface ApplyFolder {
  /** Folder that their paths begin in. */
  readonly folder: string;
  /** Whether it is a plain one: in no repository, or in one that ignores it. */
  readonly isAlone: boolean;
}

/** Where the changes of a run in a workspace are applied: the whole repository, or the folder itself. Rejects with `workspace.*`. */
export async function applyFolderOf(world: World, workspace: string): Promise<ApplyFolder> {
  await using git = await openGit(world, workspace);
  const top = await git.run(["rev-parse", "--show-toplevel"]);
  if (!top.ok) return { folder: workspace, isAlone: true };
  const isIgnored = (await git.run(["check-ignore", "--quiet", "--", "."])).ok;
  const known = isIgnored ? await git.run(["ls-files", "--", "."]) : undefined;
  return known?.ok === true && known.output === ""
    ? { folder: workspace, isAlone: true }
    : { folder: top.output, isAlone: false };
}
