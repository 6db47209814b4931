import { isAbsolute, join, resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { failWithoutHome } from "../config/config-directory.ts";
import { liesInProc } from "../start/lies-in-proc.ts";
import type { World } from "../world/world.ts";

/**
 * Absolute path of the folder with the run folders: the option, or `switchyard` in the user's state folder. Throws
 * `run.store_failed` where there can be none.
 */
export function stateDirectory(world: World, option: string | undefined): string {
  const path = option === undefined ? standardDirectory(world) : resolve(world.workingDirectory, option);
  if (liesInProc(path)) throw new EngineError("run.store_failed", { path, problem: "nobody can make a folder there" });
  return path;
}

function standardDirectory(world: World): string {
  const base = world.env["XDG_STATE_HOME"] ?? "";
  // The XDG specification has relative paths ignored.
  if (isAbsolute(base)) return join(base, "switchyard");
  return join(world.homeDirectory ?? failWithoutHome(), ".local/state/switchyard");
}
