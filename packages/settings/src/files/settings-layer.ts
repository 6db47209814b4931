import { dirname, join, resolve } from "node:path";
import { closestWord, EngineError } from "@switchyard/contracts";
import type { SettingsContext } from "../settings-context.ts";
import { isEngineFile } from "./engine-file-name.ts";
import { readRegularFile, type TextFile } from "./read-regular-file.ts";
import {
  isSettingName,
  SETTING_NAMES,
  SETTINGS,
  type SettingDefinition,
  type SettingName,
} from "./setting-definitions.ts";
import { settingsFolder } from "./settings-folder.ts";

/**
 * Value of a setting: a text that the corresponding command-line option accepts, a list of such texts for rules, or
 * `true` for an enabled switch.
 */
export type SettingValue = string | readonly string[] | true;

/** Settings of one file. */
export interface SettingsLayer {
  /** Owner of the file. */
  readonly whose: "user" | "project";
  /** Absolute path of the file. */
  readonly path: string;
  /** Settings by name. */
  readonly values: ReadonlyMap<SettingName, SettingValue>;
}

/** Name of the project settings file, in the top folder of the workspace. */
export const PROJECT_SETTINGS_FILE = "switchyard.yaml";

/** Returns the absolute path of the user's settings file. `undefined` if the user has no home folder. */
export function userSettingsFile(context: Pick<SettingsContext, "env" | "homeDirectory">): string | undefined {
  const folder = settingsFolder(context);
  return folder === undefined ? undefined : join(folder, "config.yaml");
}

/** Reads the user's settings. Resolves with `undefined` if there is no file. Rejects with `config.*`. */
export async function readUserSettings(context: SettingsContext): Promise<SettingsLayer | undefined> {
  const path = userSettingsFile(context);
  const file = path === undefined ? undefined : await readRegularFile(path, { follow: true });
  return file === undefined ? undefined : parseSettings(file, "user");
}

/** Parses a settings file. Rejects with `config.malformed` or `config.invalid`, whose messages name the file. */
export async function parseSettings(file: TextFile, whose: SettingsLayer["whose"]): Promise<SettingsLayer> {
  const { parseEngineFile } = await import("@switchyard/runner");
  const document = (await parseEngineFile(file.text, file.path)) ?? {};
  if (typeof document !== "object" || Array.isArray(document))
    throw invalidSetting(file.path, "it", "must be a mapping of settings");
  const values = new Map<SettingName, SettingValue>();
  for (const [name, value] of Object.entries(document)) {
    if (!isSettingName(name)) throw unknownName(file.path, name);
    const key: SettingDefinition = SETTINGS[name];
    if (whose === "project" && !key.project) {
      throw invalidSetting(file.path, name, "cannot be set in a project; set it in your user configuration");
    }
    const read = readValue(value, key, file.path);
    if (read === undefined) throw invalidSetting(file.path, name, expectation(key));
    if (read !== false) values.set(name, read);
  }
  if (values.has("mode") && values.has("approve"))
    throw invalidSetting(file.path, "mode", "cannot be combined with approve");
  return { whose, path: file.path, values };
}

/**
 * Converts the value of a setting in a file. Returns `undefined` for a value of the wrong type. Returns `false` for a
 * disabled switch, which is equivalent to no setting.
 */
function readValue(value: unknown, { type }: SettingDefinition, path: string): SettingValue | false | undefined {
  if (type === "switch") return typeof value === "boolean" ? value : undefined;
  if (type === "rules") return isTexts(value) ? value : undefined;
  if (type === "number" || type === "time") {
    if (typeof value === "number" && Number.isFinite(value)) return String(value);
    return type === "time" && typeof value === "string" ? value : undefined;
  }
  if (typeof value !== "string" || value === "") return undefined;
  if (type === "text" || (type === "engine" && !isEngineFile(value))) return value;
  // Relative paths are resolved against the folder of the settings file, not the current folder.
  return resolve(dirname(path), value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function expectation({ type }: SettingDefinition): string {
  switch (type) {
    case "switch":
      return "must be true or false";
    case "rules":
      return "must be a list of rules";
    case "number":
      return "must be a number";
    case "time":
      return "must be seconds or a time such as 5m";
    default:
      return "must be a string";
  }
}

function unknownName(path: string, name: string): EngineError {
  const meant = closestWord(name, SETTING_NAMES);
  const hint = meant === undefined ? `there are ${SETTING_NAMES.join(", ")}` : `did you mean ${meant}`;
  return invalidSetting(path, name, `is not a setting; ${hint}`);
}

/**
 * Creates the `config.invalid` error for a setting in a file. `problem` continues a sentence that starts with the name
 * of the setting.
 */
export function invalidSetting(path: string, name: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field: `${name} in ${path}`, problem: `${name} ${problem}.` });
}
