import { resolve } from "node:path";
import { findWorkspace, type Trust, trustOf } from "../trust/trusted-workspaces.ts";
import type { World } from "../world/world.ts";
import { type ConfigLayer, parseLayer, readUserConfig } from "./config-layer.ts";

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
  /** How the folder stands. */
  readonly trust: Trust;
  /** Settings of a folder that is not trusted, which were not read. */
  readonly ignored?: string | undefined;
}

/** Reads the settings that hold in a folder. Rejects with `config.*`. */
export async function loadConfig(world: World, { workspace, trustWorkspace }: ConfigPlace): Promise<LoadedConfig> {
  const user = await readUserConfig(world);
  const layers = user === undefined ? [] : [user];
  if (workspace === undefined) return { layers, trust: "untrusted" };
  const folder = resolve(world.workingDirectory, workspace);
  // The run itself says what is wrong with a folder that is not there.
  const found = await findWorkspace(folder).catch((error: unknown) => {
    if (trustWorkspace === true) throw error;
    return undefined;
  });
  if (found === undefined) return { layers, trust: "untrusted" };
  const trust = trustWorkspace === true ? "trusted" : await trustOf(world, found);
  if (found.file === undefined) return { layers, trust };
  if (trust !== "trusted") return { layers, trust, ignored: found.file.path };
  return { layers: [...layers, await parseLayer(found.file, "project")], trust };
}
