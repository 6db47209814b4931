import { join } from "node:path";
import { type SettingsContext, settingsFolder } from "@switchyard/settings";

/** Returns the absolute path of the user's credentials file; `undefined` if the user has no home folder. */
export function credentialsFile(user: Pick<SettingsContext, "env" | "homeDirectory">): string | undefined {
  const folder = settingsFolder(user);
  return folder === undefined ? undefined : join(folder, "credentials.yaml");
}
