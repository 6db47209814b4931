import type { EngineOptions } from "@switchyard/engine-catalog";
import {
  defaultApproval,
  defaultEnvironment,
  INPUT_SETTINGS,
  invalidSetting,
  type ResolvedSetting,
  resolveSettings,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  settingVariable,
  type Trust,
} from "@switchyard/settings";
import { hasPerson, neutraliseControls } from "@switchyard/terminal";
import type { Command, Option } from "commander";
import { InvalidArgumentError } from "commander";
import type { CommandContext } from "../context/command-context.ts";
import type { InputLimitOptions } from "../run/limit-options.ts";

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
  /** Settings, skills and commands of the workspace folder that may be used. */
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
  const files = mergeSettings(layers, choice);
  const isPermissionChosen =
    isTyped(command, "mode") || isTyped(command, "approve") || settingVariable(context.env, "mode") !== undefined;
  const unused = isRun && !isPermissionChosen ? ignoredPermission(layers, choice) : undefined;
  if (unused !== undefined) {
    const setting = neutraliseControls(`${unused.name}: ${unused.value}`);
    context.stderr.write(
      `note: \`${setting}\` in ${neutraliseControls(unused.path)} is not used: a project can only make permissions stricter.\n`,
    );
  }
  const environment: unknown = isTyped(command, "env") ? command.getOptionValue("env") : undefined;
  const usesTerminal = !DEFAULT_BY_TERMINAL.includes(command.name()) || hasPerson(context);
  const settings = resolveSettings({
    ...{ names, env: context.env, files, defaultEnvironment: defaultEnvironment({ isAttended: usesTerminal }) },
    environment: typeof environment === "string" ? environment : undefined,
    isGiven: (name) => isTyped(command, optionOf(command, name)?.attributeName() ?? name),
  });
  applySettings(command, settings);
}

/** Sets the options of the command to the values of settings, as far as they were not given on the command line. */
function applySettings(command: Command, settings: ReadonlyMap<SettingName, ResolvedSetting>): void {
  const configured: Record<string, unknown> = {};
  for (const [name, setting] of settings) {
    const option = optionOf(command, name);
    if (option === undefined) continue;
    const attribute = option.attributeName();
    if (typeof setting.value === "object") {
      const typed: unknown = command.getOptionValue(attribute);
      command.setOptionValue(attribute, parse({ option, name, setting, previous: typed }));
    } else if (INPUT_SETTINGS.includes(name)) configured[attribute] = parse({ option, name, setting });
    else command.setOptionValue(attribute, parse({ option, name, setting }));
  }
  command.setOptionValue("configured", configured);
}

function isTyped(command: Command, attribute: string): boolean {
  return command.getOptionValueSource(attribute) === "cli";
}

function optionOf(command: Command, name: SettingName): Option | undefined {
  return command.options.find(({ long }) => long === SETTINGS[name].flag);
}

interface Parsing {
  readonly option: Option;
  readonly name: SettingName;
  readonly setting: ResolvedSetting;
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
