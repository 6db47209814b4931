import { isAbsolute, join, resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { World } from "../world/world.ts";

/** What the kernel shows as files: nobody can make a folder there, and Node goes on trying for ever. */
const KERNEL_FILES = /^\/proc(\/|$)/;

/**
 * Absolute path of the folder with the run folders: the option, or `switchyard` in the user's state folder. Throws
 * `config.invalid` for one that can never be made.
 */
export function stateDirectory(world: World, option: string | undefined): string {
  const state = option === undefined ? defaultDirectory(world) : resolve(world.workingDirectory, option);
  if (KERNEL_FILES.test(state)) {
    const field = option === undefined ? "XDG_STATE_HOME or HOME" : "--state";
    throw new EngineError("config.invalid", { field, problem: `no folder can be made below /proc: ${state}` });
  }
  return state;
}

function defaultDirectory(world: World): string {
  const base = world.env["XDG_STATE_HOME"] ?? "";
  // The XDG specification has relative paths ignored.
  return join(isAbsolute(base) ? base : join(world.homeDirectory, ".local/state"), "switchyard");
}
