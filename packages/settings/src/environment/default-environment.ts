import type { EnvironmentOptions } from "./environment-selection.ts";

/** Default environment of runs that a user watches. Runs that are stored without an environment used this one. */
const UNNAMED = "local";

/** Environment of runs that no user watches. By default, its commands have no network. */
const UNATTENDED = "sandbox";

/** Returns the name of the selected environment. Default: `local`. */
export function environmentNameOf({ env }: Pick<EnvironmentOptions, "env">): string {
  return env ?? UNNAMED;
}

/**
 * Returns the name of the environment of a new run for which the user chose none. `isAttended` is true if a user
 * watches the run on a terminal. The environment is then `local`, otherwise `sandbox`.
 */
export function defaultEnvironment({ isAttended }: { readonly isAttended: boolean }): string {
  return isAttended ? UNNAMED : UNATTENDED;
}
