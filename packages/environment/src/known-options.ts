import { EngineError } from "@switchyard/contracts";
import type { EnvironmentOptions } from "./environment-options.ts";

/** Names of all options. The type makes the compiler reject a table that lacks an option. */
export type OptionNames<T> = Readonly<Record<keyof T, true>>;

/** Options of every environment of real processes. */
export const ENVIRONMENT_OPTIONS: OptionNames<EnvironmentOptions> = {
  environmentVariables: true,
  killGraceMs: true,
  drainMs: true,
  maxReadBytes: true,
};

/**
 * Rejects unknown options, because a misspelled rule (`variables` for `environmentVariables`) would silently have no
 * effect. Throws `config.invalid` with the name of the option. The field `type` is ignored, because environment
 * configurations have it.
 */
export function assertKnownOptions(options: object, names: Readonly<Record<string, true>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || name === "type" || Object.hasOwn(names, name)) continue;
    const known = Object.keys(names).sort().join(", ");
    throw new EngineError("config.invalid", { field: name, problem: `there is no such option; there are: ${known}` });
  }
}
