import { isAbsolute, join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { SettingsContext } from "../settings-context.ts";

/**
 * Returns the absolute path of the user's settings folder: `$XDG_CONFIG_HOME/switchyard` or `~/.config/switchyard`.
 * `undefined` if the user has no home folder.
 */
export function settingsFolder(context: Pick<SettingsContext, "env" | "homeDirectory">): string | undefined {
  const base = context.env["XDG_CONFIG_HOME"] ?? "";
  // The XDG specification requires relative paths to be ignored.
  const folder = isAbsolute(base) ? base : configFolderOf(context.homeDirectory);
  return folder === undefined ? undefined : join(folder, "switchyard");
}

function configFolderOf(home: string | undefined): string | undefined {
  return home === undefined ? undefined : join(home, ".config");
}

/** Returns the user's settings folder. Throws `config.invalid` if the user has no home folder. */
export function requireSettingsFolder(context: Pick<SettingsContext, "env" | "homeDirectory">): string {
  return settingsFolder(context) ?? failWithoutHome();
}

/** Throws `config.invalid`: the user has no home folder. */
export function failWithoutHome(): never {
  throw new EngineError("config.invalid", { field: "HOME", problem: "it must be an absolute path" });
}
