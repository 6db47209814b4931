import type { ExecutionEnvironment } from "@switchyard/contracts";
import { findRepository, GitFailure } from "./git-repository.ts";
import { keepSnapshot, readKeptSnapshot } from "./kept-snapshot.ts";
import { createShadow, openShadow, type ShadowRepository } from "./shadow-repository.ts";

/** How a snapshot is taken. */
export interface SnapshotOptions {
  /** Folder of the runner's own for git's files, on this machine; made and left there. */
  scratch: string;
  /** Folder that is not looked at although it may lie in the workspace, as an absolute path. */
  excluded?: string | undefined;
  /** Gives the snapshot up when it fires; its diff is not affected. */
  signal?: AbortSignal | undefined;
}

/** The state of a git workspace at one moment. */
export interface WorkspaceSnapshot {
  /**
   * What changed since, files that git does not know included, as a unified diff. Without the `excluded` files, whose
   * paths are relative to the workspace. Throws when git fails.
   */
  diff(excluded?: readonly string[]): Promise<string>;
}

/**
 * Takes a snapshot of a git workspace; nothing where the workspace is none. Throws when git fails.
 *
 * The repository is only read: snapshots live in a repository of their own with an index, objects and settings of
 * its own, so that neither the user's index is touched nor anything run that the workspace's repository configures
 * (filters, hooks, monitors, diff programs). architecture: decision 26.
 */
export async function takeSnapshot(
  environment: ExecutionEnvironment,
  options: SnapshotOptions,
): Promise<WorkspaceSnapshot | undefined> {
  const { scratch, signal } = options;
  const repository = await findRepository(environment, signal).catch(async (error: unknown) => {
    if (error instanceof GitFailure && !(await looksLikeRepository(environment))) return undefined;
    throw error;
  });
  if (repository === undefined) return undefined;
  const shadow = await createShadow(environment, repository, options);
  const before = await shadow.writeTree(signal);
  await keepSnapshot(scratch, { repository, before });
  return snapshotOf(shadow, before);
}

/**
 * The snapshot that an earlier process took into the same folder; `undefined` when there is none. Throws when it
 * cannot be read.
 */
export async function reopenSnapshot(
  environment: ExecutionEnvironment,
  scratch: string,
): Promise<WorkspaceSnapshot | undefined> {
  const kept = await readKeptSnapshot(scratch);
  return kept === undefined ? undefined : snapshotOf(openShadow(environment, kept.repository, scratch), kept.before);
}

function snapshotOf(shadow: ShadowRepository, before: string): WorkspaceSnapshot {
  return {
    diff: async (excluded = []) => {
      const after = await shadow.writeTree();
      return before === after ? "" : shadow.diffTrees(before, after, excluded);
    },
  };
}

async function looksLikeRepository(environment: ExecutionEnvironment): Promise<boolean> {
  return environment.exists(".git").catch(() => false);
}
