import { environmentProblem } from "../environment/environment-config.ts";
import type { SettingsContext } from "../settings-context.ts";
import type { EffectiveSettings } from "./merge-settings.ts";
import { SETTINGS, type SettingName } from "./setting-definitions.ts";
import { invalidSetting, type SettingValue } from "./settings-layer.ts";

/** Settings that can also be fields of a `SessionInput` document. Its values take precedence over settings files. */
export const INPUT_SETTINGS: readonly SettingName[] = ["model", "max_turns", "timeout", "retry_for"];

/** Value of a setting, and where it comes from. */
export interface ResolvedSetting {
  /** Value of the setting. */
  readonly value: SettingValue;
  /** Settings files or environment variable that contain the value, for messages. */
  readonly source: string;
}

/** Sources of settings. */
export interface SettingSources extends Pick<SettingsContext, "env"> {
  /** Settings that apply. */
  readonly names: readonly SettingName[];
  /** Merged settings files. Environment variables take precedence over them. */
  readonly files: EffectiveSettings;
  /**
   * Returns whether the user gave a value for this run, for example with a command-line option. Such a value takes
   * precedence.
   */
  readonly isGiven: (name: SettingName) => boolean;
  /** Name of the environment that the user chose for this run; `undefined` if the user chose none. */
  readonly environment?: string | undefined;
  /** Name of the environment if neither the user nor a setting chooses one. */
  readonly defaultEnvironment: string;
}

/**
 * Returns the settings of a run that come from environment variables or settings files. Omits a setting for which the
 * user gave a value. Two types of settings are returned nevertheless: lists, because they are concatenated, and
 * settings that a `SessionInput` document can contain, because its values take precedence. Omits settings that the
 * environment does not support, because a settings file applies to runs in all environments. Throws `config.invalid` if
 * the environment supports a setting, but not its value.
 */
export function resolveSettings(sources: SettingSources): ReadonlyMap<SettingName, ResolvedSetting> {
  const { isGiven, env } = sources;
  const environment = sources.environment ?? settingOf(sources, "env")?.value;
  const named = typeof environment === "string" ? environment : sources.defaultEnvironment;
  const isPermissionGiven = isGiven("mode") || isGiven("approve");
  const resolved = new Map<SettingName, ResolvedSetting>();
  for (const name of sources.names) {
    const setting = settingOf(sources, name);
    if (setting === undefined) continue;
    // If the user gives a state folder, the broker that settings files name as `store` is not used.
    if (name === "store" && isGiven("state")) continue;
    if (isPermissionGiven && (name === "mode" || name === "approve")) continue;
    // A permission mode in the environment replaces the approval mode of settings files.
    if (name === "approve" && settingVariable(env, "mode") !== undefined) continue;
    const isReplaced = typeof setting.value !== "object" && !INPUT_SETTINGS.includes(name) && isGiven(name);
    if (!isReplaced && isForEnvironment(name, setting, named)) resolved.set(name, setting);
  }
  return resolved;
}

/** Returns the value of a setting in its environment variable. `undefined` if the variable is not set, or empty. */
export function settingVariable(env: SettingsContext["env"], name: SettingName): ResolvedSetting | undefined {
  const { variable } = SETTINGS[name];
  const value = variable === undefined ? "" : (env[variable] ?? "");
  return variable === undefined || value === "" ? undefined : { value, source: variable };
}

function settingOf({ env, files }: SettingSources, name: SettingName): ResolvedSetting | undefined {
  // The model of the environment variable is applied with the session input, which takes precedence over the variable.
  const fromVariable = INPUT_SETTINGS.includes(name) ? undefined : settingVariable(env, name);
  if (fromVariable !== undefined) return fromVariable;
  const merged = files.get(name);
  return merged && { value: merged.value, source: merged.sources.map(({ path }) => path).join(" or ") };
}

/** Returns false for a setting that the environment does not support, such as a network for `local`. */
function isForEnvironment(name: SettingName, { value, source }: ResolvedSetting, env: string): boolean {
  if (typeof value !== "string") return true;
  const selection = {
    envNetwork: name === "env_network" ? value : undefined,
    envMemory: name === "env_memory" ? value : undefined,
    envUser: name === "env_user" ? value : undefined,
  };
  const problem = environmentProblem({ env, ...selection });
  if (problem?.kind === "network")
    throw invalidSetting(source, name, `cannot be ${value} for ${env}; write ${problem.allowed.join(" or ")}`);
  if (problem?.kind === "list") throw invalidSetting(source, name, `cannot be ${value}: ${problem.problem}`);
  return problem?.kind !== "setting";
}
