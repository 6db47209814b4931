import { join, resolve } from "node:path";
import type { CommandContext } from "../context/command-context.ts";
import { type Trust, trustsSettings } from "../trust/trusted-files.ts";
import { findTrusted, findWorkspace, type TrustedWorkspace } from "../trust/trusted-workspaces.ts";
import { type ConfigLayer, PROJECT_FILE, parseLayer, readUserConfig } from "./config-layer.ts";

/** Which files are read. */
export interface ConfigPlace {
  /** Folder that is worked in; no project's settings are read without it. */
  readonly workspace?: string | undefined;
  /** Whether that folder is trusted for this time, whatever the list says. */
  readonly trustWorkspace?: boolean | undefined;
}

/** What the files say. */
export interface LoadedConfig {
  /** The user's settings, then the project's. */
  readonly layers: readonly ConfigLayer[];
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
export async function loadConfig(
  context: CommandContext,
  { workspace, trustWorkspace }: ConfigPlace,
): Promise<LoadedConfig> {
  const user = await readUserConfig(context);
  const layers = user === undefined ? [] : [user];
  if (workspace === undefined) return { layers, trust: "none" };
  const folder = resolve(context.workingDirectory, workspace);
  // The run itself says what is wrong with a folder that is not there.
  const found = await findWorkspace(folder).catch((error: unknown) => {
    if (trustWorkspace === true) throw error;
    return undefined;
  });
  if (found === undefined) return { layers, trust: "none" };
  const stored = trustWorkspace === true ? undefined : await findTrusted(context, found.path);
  const trust = trustWorkspace === true ? "all" : (stored?.files ?? "none");
  if (found.file === undefined) return { layers, trust, ignored: removedSettings(found.path, trust) };
  if (trustsSettings(trust, found.file)) return { layers: [...layers, await parseLayer(found.file, "project")], trust };
  return { layers, trust, ignored: { path: found.file.path, why: reasonOf(stored) } };
}

function reasonOf(stored: TrustedWorkspace | undefined): string {
  if (stored === undefined) return "the folder is not trusted";
  if (stored.files === undefined) return "it was trusted by an earlier version, which did not record its content";
  return stored.files.has(PROJECT_FILE)
    ? "it has changed since it was trusted"
    : "it is new since you trusted the folder";
}

/** Settings that narrow what a run may do must not disappear without a word. */
function removedSettings(folder: string, trust: Trust): IgnoredSettings | undefined {
  if (typeof trust === "string" || !trust.has(PROJECT_FILE)) return undefined;
  return { path: join(folder, PROJECT_FILE), why: "it was removed since it was trusted" };
}
