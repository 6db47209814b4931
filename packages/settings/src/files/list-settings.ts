import { join } from "node:path";
import type { SettingsContext } from "../settings-context.ts";
import type { LoadedSettings } from "./load-settings.ts";
import { mergeSettings, type PermissionDefault } from "./merge-settings.ts";
import { settingVariable } from "./resolve-settings.ts";
import { SETTING_NAMES } from "./setting-definitions.ts";
import { PROJECT_SETTINGS_FILE, userSettingsFile } from "./settings-layer.ts";

/** Effective setting and its source. */
export interface ListedSetting {
  /** Name of the setting. */
  readonly name: string;
  /** Value, as in the settings file. */
  readonly value: unknown;
  /** Source of the setting: `user`, `project`, both, or the name of an environment variable. */
  readonly from: string;
}

/** Settings file and whether it is used. */
export interface ListedSettingsFile {
  /** Owner of the settings file: `user` or `project`. */
  readonly whose: string;
  /** Absolute path of the file. */
  readonly path: string;
  /** `read`, `not found`, or the reason why the file is not used. */
  readonly state: string;
}

/** Lists the effective settings with their sources, sorted as in the documentation. */
export function listSettings(
  { env }: SettingsContext,
  { layers }: LoadedSettings,
  options: PermissionDefault = {},
): ListedSetting[] {
  const effective = mergeSettings(layers, options);
  return SETTING_NAMES.flatMap((name): ListedSetting[] => {
    const variable = settingVariable(env, name);
    if (variable !== undefined) return [{ name, value: variable.value, from: variable.source }];
    // A permission mode in the environment replaces the approval mode of settings files.
    if (name === "approve" && settingVariable(env, "mode") !== undefined) return [];
    const setting = effective.get(name);
    if (setting === undefined) return [];
    return [{ name, value: setting.value, from: setting.sources.map(({ whose }) => whose).join(" and ") }];
  });
}

/** Lists the settings files that apply to a workspace, and whether each is used. */
export function listSettingsFiles(
  context: SettingsContext,
  workspace: string,
  { layers, ignored }: LoadedSettings,
): ListedSettingsFile[] {
  const isRead = (whose: "user" | "project"): boolean => layers.some((layer) => layer.whose === whose);
  return [
    {
      whose: "user",
      path: userSettingsFile(context) ?? "(no home folder)",
      state: isRead("user") ? "read" : "not found",
    },
    {
      whose: "project",
      path: join(workspace, PROJECT_SETTINGS_FILE),
      state: isRead("project") ? "read" : ignored === undefined ? "not found" : `not used: ${ignored.why}`,
    },
  ];
}
