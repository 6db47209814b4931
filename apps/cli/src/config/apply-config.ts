import type { EngineOptions } from "@switchyard/engine-catalog";
import {
  defaultEnvironment,
  type EffectiveSettings,
  environmentProblem,
  invalidSetting,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingValue,
  type Trust,
} from "@switchyard/settings";
import { hasPerson, neutraliseControls } from "@switchyard/terminal";
import type { Command, Option } from "commander";
import { InvalidArgumentError } from "commander";
import { defaultApproval } from "../approval/default-mode.ts";
import type { CommandContext } from "../context/command-context.ts";
import type { InputLimitOptions } from "../run/limit-options.ts";

/** Settings that can also be fields of a `SessionInput` document. Its values take precedence over settings files. */
const OF_THE_INPUT: readonly SettingName[] = ["model", "max_turns", "timeout", "retry_for"];

/** Commands that accept all options of the command `run`, so that all settings apply to them. */
const HAVING_ALL: readonly string[] = ["run", "chat", "acp", "mcp"];

/** Commands that use the settings of the folder in which they are started. */
const OF_FOLDER: readonly string[] = ["run", "chat"];

/** Commands whose default environment depends on whether a user watches the run on a terminal. */
const DEFAULT_BY_TERMINAL: readonly string[] = ["run", "mcp"];

/** Values from settings files that are added to the options of the command `run`. */
export interface ConfigOptions {
  /** Whether the workspace folder is trusted for this run. */
  trustWorkspace?: boolean;
  /**
   * Values from settings files for options that can also be fields of a `SessionInput` document. The values in the
   * document take precedence.
   */
  configured?: InputLimitOptions & Pick<EngineOptions, "model">;
  /** Which settings, skills and commands of the workspace folder may be used. */
  trust?: Trust;
}

/**
 * Sets options that were not given on the command line to the values of environment variables and settings files. For commands that start runs,
 * this concerns all options; for other commands, only the run store. Rejects with `config.*`.
 */
export async function applyConfig(context: CommandContext, command: Command): Promise<void> {
  const isRun = HAVING_ALL.includes(command.name());
  if (!isRun && optionOf(command, "state") === undefined) return;
  const { ignoredPermission, loadSettings, mergeSettings } = await import("@switchyard/settings");
  const options: Readonly<Record<string, unknown>> = command.opts();
  const { workspace, input, trustWorkspace } = options;
  // With a SessionInput or a protocol client, the current folder is not the workspace, so its settings do not apply.
  const isOfFolder = OF_FOLDER.includes(command.name());
  const isOwn = isOfFolder && input === undefined;
  const folder = typeof workspace === "string" ? workspace : isOwn ? "." : undefined;
  const place = { workspace: isOfFolder ? folder : undefined, trustWorkspace: trustWorkspace === true };
  const { layers, trust, ignored } = await loadSettings(context, place);
  if (ignored !== undefined) {
    const { path, why } = ignored;
    context.stderr.write(
      `note: ${neutraliseControls(path)} is not used: ${why}. Review it, then run \`switchyard trust\`.\n`,
    );
  }
  const names: readonly SettingName[] = isRun ? SETTING_NAMES : ["state", "store", "budgets"];
  if (isRun) command.setOptionValue("trust", trust);
  const isAttended = command.name() === "chat" || hasPerson(context);
  const choice = { defaultApproval: defaultApproval({ hasRules: isTyped(command, "allow"), isAttended }) };
  const sources = { names, env: context.env, files: mergeSettings(layers, choice) };
  const environment = environmentOf(context, command, sources);
  const unused = isRun && !isPermissionChosen(command, sources) ? ignoredPermission(layers, choice) : undefined;
  if (unused !== undefined) {
    const setting = neutraliseControls(`${unused.name}: ${unused.value}`);
    context.stderr.write(
      `note: \`${setting}\` in ${neutraliseControls(unused.path)} is not used: a project can only make permissions stricter.\n`,
    );
  }
  applySettings(command, { ...sources, environment });
}

/** Settings to apply to a command, and where their values come from. */
interface SettingSources {
  /** Settings that apply to the command. */
  readonly names: readonly SettingName[];
  /** Environment variables. They take precedence over settings files. */
  readonly env: CommandContext["env"];
  /** Merged settings files. */
  readonly files: EffectiveSettings;
}

function isPermissionIn(command: Command): boolean {
  return ["mode", "approve"].some((name) => isTyped(command, name));
}

function isPermissionChosen(command: Command, sources: SettingSources): boolean {
  return isPermissionIn(command) || variableOf(sources, "mode") !== undefined;
}

/** Returns the name of the environment that the command will use. */
function environmentOf(context: CommandContext, command: Command, sources: SettingSources): string {
  const chosen: unknown = isTyped(command, "env") ? command.getOptionValue("env") : settingOf(sources, "env")?.value;
  if (typeof chosen === "string") return chosen;
  return defaultEnvironment({ isAttended: !DEFAULT_BY_TERMINAL.includes(command.name()) || hasPerson(context) });
}

/**
 * Returns false for a setting that the environment does not support, such as a network for `local`. A settings file
 * applies to runs in all environments, so the setting is ignored. Throws `config.invalid` if the environment supports the
 * setting, but not its value.
 */
function isForEnvironment(name: SettingName, { value, source }: Setting, env: string): boolean {
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

function applySettings(command: Command, sources: SettingSources & { readonly environment: string }): void {
  const configured: Record<string, unknown> = {};
  const isPermissionTyped = isPermissionIn(command);
  const isModeInVariable = variableOf(sources, "mode") !== undefined;
  for (const name of sources.names) {
    const setting = settingOf(sources, name);
    const option = optionOf(command, name);
    if (setting === undefined || option === undefined) continue;
    // If `--state` names a folder, a broker that settings files name is not used.
    if (name === "store" && isTyped(command, "state")) continue;
    if (isPermissionTyped && (name === "mode" || name === "approve")) continue;
    if (isModeInVariable && name === "approve") continue;
    const attribute = option.attributeName();
    if (typeof setting.value === "object") {
      const typed: unknown = command.getOptionValue(attribute);
      command.setOptionValue(attribute, parse({ option, name, setting, previous: typed }));
    } else if (OF_THE_INPUT.includes(name)) configured[attribute] = parse({ option, name, setting });
    else if (!isTyped(command, attribute) && isForEnvironment(name, setting, sources.environment))
      command.setOptionValue(attribute, parse({ option, name, setting }));
  }
  command.setOptionValue("configured", configured);
}

/** Returns the value of a setting and its source, unless only the command line can contain the value. */
function settingOf(sources: SettingSources, name: SettingName): Setting | undefined {
  // The model of the environment variable is applied with the session input, which takes precedence over the variable.
  const fromVariable = OF_THE_INPUT.includes(name) ? undefined : variableOf(sources, name);
  if (fromVariable !== undefined) return fromVariable;
  const merged = sources.files.get(name);
  return merged && { value: merged.value, source: merged.sources.map(({ path }) => path).join(" or ") };
}

function variableOf({ env }: SettingSources, name: SettingName): Setting | undefined {
  const { variable } = SETTINGS[name];
  const value = variable === undefined ? "" : (env[variable] ?? "");
  return variable === undefined || value === "" ? undefined : { value, source: variable };
}

function isTyped(command: Command, attribute: string): boolean {
  return command.getOptionValueSource(attribute) === "cli";
}

function optionOf(command: Command, name: SettingName): Option | undefined {
  return command.options.find(({ long }) => long === SETTINGS[name].flag);
}

/** Value of a setting. */
interface Setting {
  readonly value: SettingValue;
  /** Settings files or environment variable that contain the value, for messages. */
  readonly source: string;
}

interface Parsing {
  readonly option: Option;
  readonly name: SettingName;
  readonly setting: Setting;
  readonly previous?: unknown;
}

/**
 * Parses the value of a setting with the parser of the corresponding option, so that both accept the same values.
 * Throws `config.invalid`.
 */
function parse({ option, name, setting, previous }: Parsing): unknown {
  const { value, source } = setting;
  if (value === true || option.parseArg === undefined) return value;
  const texts = typeof value === "object" ? value : [value];
  try {
    return texts.reduce<unknown>((before, text) => option.parseArg?.(text, before), previous);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw invalidSetting(source, name, `cannot be ${texts.join(", ")}. ${error.message.replace(/\.$/, "")}`);
  }
}
