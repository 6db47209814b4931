import { join, resolve } from "node:path";
import {
  type LoadedSettings,
  loadSettings,
  mergeSettings,
  PROJECT_SETTINGS_FILE,
  SETTING_NAMES,
  userSettingsFile,
} from "@switchyard/settings";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

interface ShownSetting {
  readonly name: string;
  readonly value: unknown;
  readonly from: string;
}

/** Shows the settings that apply in a folder. Resolves with the exit code; rejects with `config.*`. */
export async function showConfig(
  context: CommandContext,
  options: { workspace?: string; json?: boolean },
): Promise<number> {
  const workspace = resolve(context.workingDirectory, options.workspace ?? ".");
  const loaded = await loadSettings(context, { workspace });
  const settings = settingsOf(context, loaded);
  const files = filesOf(context, workspace, loaded);
  if (options.json === true) {
    const byName = Object.fromEntries(settings.map(({ name, value, from }) => [name, { value, from }]));
    context.stdout.write(`${toPlainJson({ settings: byName, files })}\n`);
    return 0;
  }
  const width = Math.max(0, ...settings.map(({ name }) => name.length));
  const lines = settings.map(({ name, value, from }) => `${name.padEnd(width)}  ${textOf(value)}  (${from})`);
  const shown = lines.length === 0 ? ["No settings. All options have their defaults."] : lines;
  const about = files.map(({ whose, path, state }) => `${whose}: ${path} (${state})`);
  context.stdout.write(`${[...shown, "", ...about].map(neutraliseControls).join("\n")}\n`);
  return 0;
}

function settingsOf({ env }: CommandContext, { layers }: LoadedSettings): ShownSetting[] {
  const effective = mergeSettings(layers);
  const model = env["SWITCHYARD_MODEL"] ?? "";
  return SETTING_NAMES.flatMap((name): ShownSetting[] => {
    if (name === "model" && model !== "") return [{ name, value: model, from: "SWITCHYARD_MODEL" }];
    const setting = effective.get(name);
    if (setting === undefined) return [];
    return [{ name, value: setting.value, from: setting.sources.map(({ whose }) => whose).join(" and ") }];
  });
}

function filesOf(context: CommandContext, workspace: string, { layers, ignored }: LoadedSettings) {
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

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return value === true ? "yes" : String(value);
}
