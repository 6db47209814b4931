import { isAbsolute, join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { SettingsContext } from "../settings-context.ts";

/** Absolute path of the user's settings folder of this program; `undefined` if the user has no home folder. */
export function settingsFolder(context: Pick<SettingsContext, "env" | "homeDirectory">): string | undefined {
  const base = context.env["XDG_CONFIG_HOME"] ?? "";
  // The XDG specification has relative paths ignored.
  const folder = isAbsolute(base) ? base : configFolderOf(context.homeDirectory);
  return folder === undefined ? undefined : join(folder, "switchyard");
}

function configFolderOf(home: string | undefined): string | undefined {
  return home === undefined ? undefined : join(home, ".config");
}

/** The same for commands that write there. Throws `config.invalid` if the user has no home folder. */
export function requireSettingsFolder(context: Pick<SettingsContext, "env" | "homeDirectory">): string {
  return settingsFolder(context) ?? failWithoutHome();
}

/** Throws `config.invalid`: the user has no home folder. */
export function failWithoutHome(): never {
  throw new EngineError("config.invalid", { field: "HOME", problem: "it names no folder by an absolute path" });
}
