import { join, resolve } from "node:path";
import type { SettingsContext } from "../settings-context.ts";
import { type Trust, trustsSettings } from "../trust/compare-files.ts";
import { findTrusted, inspectWorkspace, type TrustedWorkspace } from "../trust/trusted-workspaces.ts";
import { PROJECT_SETTINGS_FILE, parseSettings, readUserSettings, type SettingsLayer } from "./settings-layer.ts";

/** Which files are read. */
export interface SettingsScope {
  /** Folder that is worked in; no project's settings are read without it. */
  readonly workspace?: string | undefined;
  /** Whether that folder is trusted for this time, whatever the list says. */
  readonly trustWorkspace?: boolean | undefined;
}

/** What the files say. */
export interface LoadedSettings {
  /** The user's settings, then the project's. */
  readonly layers: readonly SettingsLayer[];
  /** What may be used of the folder. */
  readonly trust: Trust;
  /** Settings that are not trusted, and were not interpreted. */
  readonly ignored?: IgnoredSettings | undefined;
}

/** Settings of a project that are not used. */
interface IgnoredSettings {
  /** Absolute path of the file. */
  readonly path: string;
  /** Why not, as the end of a sentence. */
  readonly why: string;
}

/** Reads the settings that hold in a folder. Rejects with `config.*`. */
export async function loadSettings(
  context: SettingsContext,
  { workspace, trustWorkspace }: SettingsScope,
): Promise<LoadedSettings> {
  const user = await readUserSettings(context);
  const layers = user === undefined ? [] : [user];
  if (workspace === undefined) return { layers, trust: "none" };
  const folder = resolve(context.workingDirectory, workspace);
  // The run itself says what is wrong with a folder that is not there.
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

/** Settings that narrow what a run may do must not disappear without a word. */
function removedSettings(folder: string, trust: Trust): IgnoredSettings | undefined {
  if (typeof trust === "string" || !trust.has(PROJECT_SETTINGS_FILE)) return undefined;
  return { path: join(folder, PROJECT_SETTINGS_FILE), why: "it was removed since it was trusted" };
}
