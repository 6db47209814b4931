import type { TrustedFiles } from "@switchyard/runner";
import type { SettingsContext } from "../settings-context.ts";
import { compareFiles, type FileChange } from "./compare-files.ts";
import {
  digestWorkspace,
  findTrusted,
  inspectWorkspace,
  type Workspace,
  type WorkspaceFiles,
} from "./trusted-workspaces.ts";

/** A workspace folder, and how its files differ from those that the user trusted. */
export interface WorkspaceComparison extends WorkspaceFiles {
  /** The folder with its settings file. */
  readonly workspace: Workspace;
  /** Files of the folder that the user trusted before. `undefined` if the folder was not trusted. */
  readonly before: TrustedFiles | undefined;
  /** Changes since the user trusted the folder, sorted by path. If the folder was not trusted, every file is new. */
  readonly changes: readonly { readonly path: string; readonly change: FileChange }[];
  /** Whether the folder is trusted and no file has changed since. */
  readonly isTrusted: boolean;
}

/**
 * Compares the settings, skills and commands of a folder with those that the user trusted. Changes nothing. Rejects
 * with `workspace.not_found` and `config.unreadable`.
 */
export async function compareWorkspace(context: SettingsContext, folder: string): Promise<WorkspaceComparison> {
  const workspace = await inspectWorkspace(folder);
  const before = (await findTrusted(context, workspace.path))?.files;
  const found = await digestWorkspace(context, workspace);
  const changes = compareFiles(before ?? new Map(), found.files);
  const isTrusted = before !== undefined && changes.every(({ change }) => change === "unchanged");
  return { ...found, workspace, before, changes, isTrusted };
}
