import { cp, lstat, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import type { ReceiveFile } from "../body/read-multipart.ts";
import { onDisk } from "./disk-failure.ts";
import { syncFiles, syncPath } from "./sync-files.ts";

/** Only the owner enters it. */
const FOLDER_MODE = 0o700;

/** The folder that a run works in. */
export interface RunWorkspace {
  /** Absolute path. */
  readonly path: string;
  /** Has files of the caller written into it, confined to it, as long as that lasts; then they are on disk. */
  withFiles<T>(receive: (takeFile: ReceiveFile) => Promise<T>): Promise<T>;
  /** Gives it the name of a run, where it was made under another one. What was there before under that name is gone. */
  renameTo(runId: string): Promise<RunWorkspace>;
  /** Copies what is in another one into it: files, folders and links as they are, nothing else. */
  copyFrom(path: string): Promise<void>;
  /** Removes it, where it was made for the run. What cannot be removed stays. */
  remove(): Promise<void>;
}

/**
 * Makes the folder of a run, or takes the one that was given. It lies beside the state folder and not in it: sandboxes
 * hide that one, so that no run sees the others. It and what it does reject with `run.store_failed`.
 */
export async function openRunWorkspace(
  runId: string,
  { stateDirectory, workspace }: { stateDirectory: string; workspace?: string | undefined },
): Promise<RunWorkspace> {
  const path = workspace ?? workspacePath(stateDirectory, runId);
  if (workspace === undefined) await onDisk(path, mkdir(path, { recursive: true, mode: FOLDER_MODE }));
  return {
    path,
    async withFiles(receive) {
      let opened: Promise<ExecutionEnvironment> | undefined;
      const names: string[] = [];
      try {
        const received = await receive(async (name, content) => {
          opened ??= openLocalEnvironment({ root: path, spawnHelper: "never", ripgrep: false });
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
      // The run has none yet, so what is there was left by a server that died.
      const move = async (): Promise<void> => {
        await rm(target, { recursive: true, force: true });
        await rename(path, target);
        await syncPath(workspacesFolder(stateDirectory));
      };
      await onDisk(target, move());
      return openRunWorkspace(name, { stateDirectory });
    },
    async copyFrom(source) {
      if (workspace !== undefined) return;
      await cp(source, path, { recursive: true, verbatimSymlinks: true, filter: isPlain });
    },
    async remove() {
      if (workspace === undefined) await rm(path, { recursive: true, force: true }).catch(() => undefined);
    },
  };
}

/** Folder of a run's workspace, beside the state folder. */
export function workspacePath(stateDirectory: string, runId: string): string {
  return join(workspacesFolder(stateDirectory), runId);
}

/** Folder of all workspaces of a state folder. */
export function workspacesFolder(stateDirectory: string): string {
  return `${stateDirectory}-workspaces`;
}

/** Whoever reads a pipe waits for ever. */
async function isPlain(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isFile() || found.isDirectory() || found.isSymbolicLink();
}
