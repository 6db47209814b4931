import { EngineError } from "@switchyard/contracts";
import type { EnvironmentOptions } from "./environment-options.ts";

/**
 * Table with the names of all options of a type. If an option is missing in such a table, the compiler reports an
 * error.
 */
export type OptionNames<T> = Readonly<Record<keyof T, true>>;

/** Names of the options that every environment with real processes accepts. */
export const ENVIRONMENT_OPTIONS: OptionNames<EnvironmentOptions> = {
  environmentVariables: true,
  killGraceMs: true,
  drainMs: true,
  maxReadBytes: true,
};

/**
 * Rejects unknown options, because a misspelled option (`variables` for `environmentVariables`) would silently have no
 * effect. Throws `config.invalid` with the name of the option. The field `type` is accepted, because environment
 * configurations contain it.
 */
export function assertKnownOptions(options: object, names: Readonly<Record<string, true>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || name === "type" || Object.hasOwn(names, name)) continue;
    const known = Object.keys(names).sort().join(", ");
    throw new EngineError("config.invalid", { field: name, problem: `the option is unknown; known options: ${known}` });
  }
}
