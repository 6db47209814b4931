import { dirname, join, resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { CommandContext } from "../context/command-context.ts";
import { isEngineFile } from "../engine/engine-file.ts";
import { closestWord } from "../text/closest-word.ts";
import { configDirectory } from "./config-directory.ts";
import { CONFIG_KEYS, CONFIG_NAMES, type ConfigKey, type ConfigName, isConfigName } from "./config-keys.ts";
import { type FoundFile, readRegularFile } from "./read-regular-file.ts";

/** The value of a setting, as it is typed behind its option. */
export type ConfigValue = string | readonly string[] | true;

/** The settings of one file. */
export interface ConfigLayer {
  /** Whose they are. */
  readonly whose: "user" | "project";
  /** Absolute path of the file. */
  readonly path: string;
  /** The settings by name. */
  readonly values: ReadonlyMap<ConfigName, ConfigValue>;
}

/** Name of a project's file, in the folder that is worked in. */
export const PROJECT_FILE = "switchyard.yaml";

/** Absolute path of the user's file; `undefined` if the user has no home folder. */
export function userConfigFile(context: Pick<CommandContext, "env" | "homeDirectory">): string | undefined {
  const folder = configDirectory(context);
  return folder === undefined ? undefined : join(folder, "config.yaml");
}

/** The user's settings; nothing where there is no file. Rejects with `config.*`. */
export async function readUserConfig(context: CommandContext): Promise<ConfigLayer | undefined> {
  const path = userConfigFile(context);
  const file = path === undefined ? undefined : await readRegularFile(path, { follow: true });
  return file === undefined ? undefined : parseLayer(file, "user");
}

/** Reads the settings of a file. Rejects with `config.malformed` and `config.invalid`, which names the file. */
export async function parseLayer(file: FoundFile, whose: ConfigLayer["whose"]): Promise<ConfigLayer> {
  const { parseEngineFile } = await import("@switchyard/runner");
  const document = (await parseEngineFile(file.text, file.path)) ?? {};
  if (typeof document !== "object" || Array.isArray(document)) throw invalid(file.path, "it", "is no map of settings");
  const values = new Map<ConfigName, ConfigValue>();
  for (const [name, value] of Object.entries(document)) {
    if (!isConfigName(name)) throw unknownName(file.path, name);
    const key: ConfigKey = CONFIG_KEYS[name];
    if (whose === "project" && !key.project) {
      throw invalid(file.path, name, "is not a project's to say; write it into your own configuration");
    }
    const read = readValue(value, key, file.path);
    if (read === undefined) throw invalid(file.path, name, expectation(key));
    if (read !== false) values.set(name, read);
  }
  if (values.has("mode") && values.has("approve")) throw invalid(file.path, "mode", "goes without approve");
  return { whose, path: file.path, values };
}

/** `false` is a setting that is switched off, which is the same as none. */
function readValue(value: unknown, { type }: ConfigKey, path: string): ConfigValue | false | undefined {
  if (type === "switch") return typeof value === "boolean" ? value : undefined;
  if (type === "rules") return isTexts(value) ? value : undefined;
  if (type === "number" || type === "time") {
    if (typeof value === "number" && Number.isFinite(value)) return String(value);
    return type === "time" && typeof value === "string" ? value : undefined;
  }
  if (typeof value !== "string" || value === "") return undefined;
  if (type === "text" || (type === "engine" && !isEngineFile(value))) return value;
  // Paths are those of the file they are written in, wherever the command is started.
  return resolve(dirname(path), value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function expectation({ type }: ConfigKey): string {
  switch (type) {
    case "switch":
      return "is neither true nor false";
    case "rules":
      return "is no list of rules";
    case "number":
      return "is no number";
    case "time":
      return "is neither seconds nor a time such as 5m";
    default:
      return "is no text";
  }
}

function unknownName(path: string, name: string): EngineError {
  const meant = closestWord(name, CONFIG_NAMES);
  const hint = meant === undefined ? `there are ${CONFIG_NAMES.join(", ")}` : `did you mean ${meant}`;
  return invalid(path, name, `is no setting; ${hint}`);
}

/** The error about one setting of a file. */
export function invalid(path: string, name: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field: `${name} in ${path}`, problem: `${name} ${problem}.` });
}
