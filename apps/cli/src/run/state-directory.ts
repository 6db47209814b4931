import { isAbsolute, join, resolve } from "node:path";
import type { World } from "../world/world.ts";

/** Absolute path of the folder with the run folders: the option, or `switchyard` in the user's state folder. */
export function stateDirectory(world: World, option: string | undefined): string {
  if (option !== undefined) return resolve(world.workingDirectory, option);
  const base = world.env["XDG_STATE_HOME"] ?? "";
  // The XDG specification has relative paths ignored.
  return join(isAbsolute(base) ? base : join(world.homeDirectory, ".local/state"), "switchyard");
}
