import { cp, lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { ClusterFile, ExecutionEnvironment } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import type { ReceiveFile } from "../body/read-multipart.ts";
import { onDisk } from "./disk-failure.ts";
import { syncFiles, syncPath } from "./sync-files.ts";

/** Mode of workspace folders: accessible to their owner only. */
export const FOLDER_MODE = 0o700;

/** Working folder of a run. */
export interface RunWorkspace {
  /** Absolute path. */
  readonly path: string;
  /**
   * Calls `receive` and passes it a function that writes an uploaded file to the workspace. When the returned promise
   * resolves, the files are on disk.
   */
  withFiles<T>(receive: (takeFile: ReceiveFile) => Promise<T>): Promise<T>;
  /** Renames the workspace so that it belongs to the given run. Replaces an existing folder of that name. */
  renameTo(runId: string): Promise<RunWorkspace>;
  /** Copies the regular files, folders and links of another workspace into this one. */
  copyFrom(path: string): Promise<void>;
  /** Streams the regular files in the workspace. */
  files(): AsyncIterable<ClusterFile>;
  /** Removes the workspace if it was created for the run. Ignores files that cannot be removed. */
  remove(): Promise<void>;
}

/**
 * Creates the workspace of a run, or opens the given one. New workspaces are next to the state folder, not in it:
 * sandboxes hide the state folder, so that runs cannot see each other. The function and the methods of the workspace
 * reject with `run.store_failed`.
 */
export async function openRunWorkspace(
  runId: string,
  { stateDirectory, workspace }: { stateDirectory: string; workspace?: string | undefined },
): Promise<RunWorkspace> {
  const opened = stageRunWorkspace(runId, { stateDirectory, workspace });
  await opened.create();
  return opened;
}

/**
 * Returns the workspace of a run that is not stored yet. Its folder is created when the first file arrives, or when the
 * workspace is renamed, because most runs have no files.
 */
export function stageRunWorkspace(
  runId: string,
  { stateDirectory, workspace }: { stateDirectory: string; workspace?: string | undefined },
): RunWorkspace & { create(): Promise<void> } {
  const path = workspace ?? workspacePath(stateDirectory, runId);
  let created: Promise<unknown> | undefined;
  const create = async (): Promise<void> => {
    if (workspace !== undefined) return;
    created ??= onDisk(path, mkdir(path, { recursive: true, mode: FOLDER_MODE }));
    await created;
  };
  return {
    path,
    create,
    async withFiles(receive) {
      let opened: Promise<ExecutionEnvironment> | undefined;
      const open = async (): Promise<ExecutionEnvironment> => {
        await create();
        return openLocalEnvironment({ root: path, spawnHelper: "never", ripgrep: false });
      };
      const names: string[] = [];
      try {
        const received = await receive(async (name, content) => {
          opened ??= open();
          await (await opened).writeFile(name, content);
          names.push(name);
        });
        await onDisk(path, syncFiles(path, names));
        return received;
      } finally {
        const environment = await opened?.catch(() => undefined);
        await environment?.[Symbol.asyncDispose]();
      }
    },
    async renameTo(name) {
      if (workspace !== undefined) return this;
      const target = workspacePath(stateDirectory, name);
      // The run has no workspace yet. An existing folder of that name is left over from a server that crashed.
      const move = async (): Promise<void> => {
        await create();
        await rm(target, { recursive: true, force: true });
        await rename(path, target);
        created = undefined;
        await syncPath(workspacesFolder(stateDirectory));
      };
      await onDisk(target, move());
      return openRunWorkspace(name, { stateDirectory });
    },
    async copyFrom(source) {
      if (workspace !== undefined) return;
      await create();
      await cp(source, path, { recursive: true, verbatimSymlinks: true, filter: isPlain });
    },
    files: () => (workspace === undefined && created === undefined ? NO_FILES : filesBelow(path)),
    async remove() {
      if (created !== undefined) await rm(path, { recursive: true, force: true }).catch(() => undefined);
    },
  };
}

/** Files of a workspace whose folder does not exist. */
const NO_FILES: AsyncIterable<ClusterFile> = { [Symbol.asyncIterator]: async function* () {} };

async function* filesBelow(root: string): AsyncGenerator<ClusterFile, void, undefined> {
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const absolute = join(entry.parentPath, entry.name);
    const path = relative(root, absolute).split(sep).join("/");
    if (entry.isFile()) yield { path, content: await readFile(absolute) };
  }
}

/** Returns the workspace folder of a run, next to the state folder. */
export function workspacePath(stateDirectory: string, runId: string): string {
  return join(workspacesFolder(stateDirectory), runId);
}

/** Returns the folder that contains all workspaces for a state folder. */
export function workspacesFolder(stateDirectory: string): string {
  return `${stateDirectory}-workspaces`;
}

/** Returns whether a path can be copied: a file, a folder or a symbolic link. Reading a named pipe would block. */
async function isPlain(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isFile() || found.isDirectory() || found.isSymbolicLink();
}
