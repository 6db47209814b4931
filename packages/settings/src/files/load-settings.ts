import { join, resolve } from "node:path";
import type { SettingsContext } from "../settings-context.ts";
import { type Trust, trustsSettings } from "../trust/compare-files.ts";
import { findTrusted, inspectWorkspace, type TrustedWorkspace } from "../trust/trusted-workspaces.ts";
import { PROJECT_SETTINGS_FILE, parseSettings, readUserSettings, type SettingsLayer } from "./settings-layer.ts";

/** Options that select the settings files to read. */
export interface SettingsScope {
  /** Path of the workspace whose project settings are read. If `undefined`, only the user's settings are read. */
  readonly workspace?: string | undefined;
  /**
   * Whether to trust the workspace for this call, even if it is not in the list of trusted workspaces. Default: false.
   */
  readonly trustWorkspace?: boolean | undefined;
}

/** Result of `loadSettings`. */
export interface LoadedSettings {
  /** Settings of the user, followed by those of the project. Files that do not exist have no entry. */
  readonly layers: readonly SettingsLayer[];
  /** Files of the workspace that a run may use as settings, skills and commands. */
  readonly trust: Trust;
  /** Project settings that were not parsed because the user does not trust them. `undefined` if there are none. */
  readonly ignored?: IgnoredSettings | undefined;
}

/** Project settings that are not used, because the user does not trust them. */
export interface IgnoredSettings {
  /** Absolute path of the settings file. */
  readonly path: string;
  /** Reason why the settings are not used, as a clause without full stop. */
  readonly why: string;
}

/** Reads the settings that apply in a workspace. Rejects with `config.*` if a file is unreadable or invalid. */
export async function loadSettings(
  context: SettingsContext,
  { workspace, trustWorkspace }: SettingsScope,
): Promise<LoadedSettings> {
  const user = await readUserSettings(context);
  const layers = user === undefined ? [] : [user];
  if (workspace === undefined) return { layers, trust: "none" };
  const folder = resolve(context.workingDirectory, workspace);
  // A missing folder is not an error here, because the run itself reports it.
  const found = await inspectWorkspace(folder).catch((error: unknown) => {
    if (trustWorkspace === true) throw error;
    return undefined;
  });
  if (found === undefined) return { layers, trust: "none" };
  const stored = trustWorkspace === true ? undefined : await findTrusted(context, found.path);
  const trust = trustWorkspace === true ? "all" : (stored?.files ?? "none");
  if (found.file === undefined) return { layers, trust, ignored: removedSettings(found.path, trust) };
  if (trustsSettings(trust, found.file))
    return { layers: [...layers, await parseSettings(found.file, "project")], trust };
  return { layers, trust, ignored: { path: found.file.path, why: reasonOf(stored) } };
}

function reasonOf(stored: TrustedWorkspace | undefined): string {
  if (stored === undefined) return "the folder is not trusted";
  if (stored.files === undefined) return "it was trusted by an earlier version, which did not record its content";
  return stored.files.has(PROJECT_SETTINGS_FILE)
    ? "it has changed since it was trusted"
    : "it is new since you trusted the folder";
}

/** Reports trusted project settings that were removed later, because they may have restricted what a run may do. */
function removedSettings(folder: string, trust: Trust): IgnoredSettings | undefined {
  if (typeof trust === "string" || !trust.has(PROJECT_SETTINGS_FILE)) return undefined;
  return { path: join(folder, PROJECT_SETTINGS_FILE), why: "it was removed since it was trusted" };
}
