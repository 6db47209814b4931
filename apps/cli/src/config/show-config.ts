import { resolve } from "node:path";
import { defaultApproval, listSettings, listSettingsFiles, loadSettings } from "@switchyard/settings";
import { hasPerson, neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** Shows the settings that apply in a folder. Resolves with the exit code; rejects with `config.*`. */
export async function showConfig(
  context: CommandContext,
  options: { workspace?: string; json?: boolean },
): Promise<number> {
  const workspace = resolve(context.workingDirectory, options.workspace ?? ".");
  const loaded = await loadSettings(context, { workspace });
  const settings = listSettings(context, loaded, {
    defaultApproval: defaultApproval({ hasRules: false, isAttended: hasPerson(context) }),
  });
  const files = listSettingsFiles(context, workspace, loaded);
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

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return value === true ? "yes" : String(value);
}
