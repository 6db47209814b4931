import type { EngineOptions } from "@switchyard/engine-catalog";
import {
  type EffectiveSetting,
  type EffectiveSettings,
  invalidSetting,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Trust,
} from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { Command, Option } from "commander";
import { InvalidArgumentError } from "commander";
import type { CommandContext } from "../context/command-context.ts";
import type { InputLimitOptions } from "../run/limit-options.ts";

/** Settings that a `SessionInput` can also contain. Its values take precedence over settings files. */
const OF_THE_INPUT: readonly SettingName[] = ["model", "max_turns", "timeout", "retry_for"];

/** Commands that accept all options of `run`, so all settings apply to them. */
const HAVING_ALL: readonly string[] = ["run", "acp", "mcp"];

/** Values that settings files add to the options of `run`. */
export interface ConfigOptions {
  /** Whether the folder is trusted for this run. */
  trustWorkspace?: boolean;
  /**
   * Values from settings files of options that a `SessionInput` can also contain. The values of the `SessionInput` take
   * precedence.
   */
  configured?: InputLimitOptions & Pick<EngineOptions, "model">;
  /** Which settings, skills and commands of the workspace folder may be used. */
  trust?: Trust;
}

/**
 * Fills options that were not given on the command line with values from settings files: all options of commands that
 * start runs, and the run store of every other command. Rejects with `config.*`.
 */
export async function applyConfig(context: CommandContext, command: Command): Promise<void> {
  const isRun = HAVING_ALL.includes(command.name());
  if (!isRun && optionOf(command, "state") === undefined) return;
  const { loadSettings, mergeSettings } = await import("@switchyard/settings");
  const options: Readonly<Record<string, unknown>> = command.opts();
  const { workspace, input, trustWorkspace } = options;
  // With a SessionInput or a protocol client, the workspace is not the current folder, so the current folder's settings
  // do not apply.
  const isOwn = command.name() === "run" && input === undefined;
  const folder = typeof workspace === "string" ? workspace : isOwn ? "." : undefined;
  const place = { workspace: command.name() === "run" ? folder : undefined, trustWorkspace: trustWorkspace === true };
  const { layers, trust, ignored } = await loadSettings(context, place);
  if (ignored !== undefined) {
    const { path, why } = ignored;
    context.stderr.write(
      `note: ${neutraliseControls(path)} is not used: ${why}. Review it, then run \`switchyard trust\`.\n`,
    );
  }
  const names: readonly SettingName[] = isRun ? SETTING_NAMES : ["state", "store"];
  if (isRun) command.setOptionValue("trust", trust);
  applySettings(command, mergeSettings(layers), names);
}

function applySettings(command: Command, config: EffectiveSettings, names: readonly SettingName[]): void {
  const configured: Record<string, unknown> = {};
  const isPermissionTyped = ["mode", "approve"].some((name) => isTyped(command, name));
  for (const name of names) {
    const setting = config.get(name);
    const option = optionOf(command, name);
    if (setting === undefined || option === undefined) continue;
    // An explicit `--state` folder takes precedence over a broker from settings files.
    if (name === "store" && isTyped(command, "state")) continue;
    if (isPermissionTyped && (name === "mode" || name === "approve")) continue;
    const attribute = option.attributeName();
    if (typeof setting.value === "object") {
      const typed: unknown = command.getOptionValue(attribute);
      command.setOptionValue(attribute, parse({ option, name, setting, previous: typed }));
    } else if (OF_THE_INPUT.includes(name)) configured[attribute] = parse({ option, name, setting });
    else if (!isTyped(command, attribute)) command.setOptionValue(attribute, parse({ option, name, setting }));
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
  readonly setting: EffectiveSetting;
  readonly previous?: unknown;
}

/** Parses a setting with the parser of its option, so that both accept the same values. Throws `config.invalid`. */
function parse({ option, name, setting, previous }: Parsing): unknown {
  const { value, sources } = setting;
  if (value === true || option.parseArg === undefined) return value;
  const texts = typeof value === "object" ? value : [value];
  try {
    return texts.reduce<unknown>((before, text) => option.parseArg?.(text, before), previous);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const files = sources.map(({ path }) => path).join(" or ");
    throw invalidSetting(files, name, `cannot be ${texts.join(", ")}. ${error.message.replace(/\.$/, "")}`);
  }
}
