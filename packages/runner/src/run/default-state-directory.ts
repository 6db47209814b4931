import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { EnvironmentRecord } from "../agent/model-choice.ts";

/**
 * Returns the absolute path of the folder in which runs are stored by default: `switchyard` in `XDG_STATE_HOME`,
 * otherwise `.local/state/switchyard` in the home folder. `undefined` if there is no home folder.
 */
export function defaultStateDirectory(env: EnvironmentRecord, homeDirectory: string | undefined): string | undefined {
  const base = env["XDG_STATE_HOME"] ?? "";
  // The XDG Base Directory Specification requires that relative paths are ignored.
  if (isAbsolute(base)) return join(base, "switchyard");
  return homeDirectory === undefined ? undefined : join(homeDirectory, ".local/state/switchyard");
}

/** Returns the user's home folder: `HOME`, otherwise the operating system's value. `undefined` if there is none. */
export function homeFolder({ HOME: home = "" }: EnvironmentRecord): string | undefined {
  if (isAbsolute(home)) return home;
  try {
    const found = homedir();
    return isAbsolute(found) ? found : undefined;
  } catch {
    // The look-up can fail, because in a container the user may have no entry in the user database.
    return undefined;
  }
}
