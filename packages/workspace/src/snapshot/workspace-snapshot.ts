import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { fetchChanges, NO_CHANGES, readChanges, type WorkspaceChanges } from "../diff/workspace-changes.ts";
import { findRepository, GitFailure, type GitRepository } from "./git-repository.ts";
import { type KeptSnapshot, keepSnapshot, readKeptSnapshot } from "./kept-snapshot.ts";
import { boundPlainFolder, listLargeChanges, NOT_WRITTEN, plainRepository } from "./plain-folder.ts";
import { createShadow, openShadow, type ShadowRepository } from "./shadow-repository.ts";

/** How a snapshot is taken. */
export interface SnapshotOptions {
  /** Folder of the runner's own for git's files, on this machine; made and left there. */
  scratch: string;
  /** The same where the workspace is, when that is elsewhere; it is there, and removed by whoever made it. */
  there?: string | undefined;
  /** Folder that is not looked at although it may lie in the workspace, as an absolute path. */
  excluded?: string | undefined;
  /** Gives the snapshot up when it fires; its diff is not affected. */
  signal?: AbortSignal | undefined;
}

/** The state of a workspace at one moment. */
export interface WorkspaceSnapshot {
  /**
   * What changed since, files that git does not know included. Without the `excluded` files, whose paths are relative to
   * the workspace. Throws when git fails.
   */
  changes(excluded?: readonly string[]): Promise<WorkspaceChanges>;
  /** Removes what is kept of it elsewhere, when nobody will go on with the run. */
  discard?(): Promise<void>;
}

/**
 * Takes a snapshot of a workspace; nothing where there is no git. Throws when git fails, and where a folder that is no
 * repository holds too much.
 *
 * A repository is only read: snapshots live in a repository of their own with an index, objects and settings of
 * its own, so that neither the user's index is touched nor anything run that the workspace's repository configures
 * (filters, hooks, monitors, diff programs). architecture: decision 26. A folder that is no repository is looked at in the
 * same way, within bounds, and without what programs put there.
 */
export async function takeSnapshot(
  environment: ExecutionEnvironment,
  options: SnapshotOptions,
): Promise<WorkspaceSnapshot | undefined> {
  const { signal, there } = options;
  const scratch = there ?? options.scratch;
  const repository = await repositoryOf(environment, signal);
  if (repository === undefined) return undefined;
  const patterns = repository.isPlain === true ? NOT_WRITTEN.map((name) => `${name}/`) : [];
  const first = await createShadow(environment, repository, { ...options, scratch, patterns });
  const { tooLarge, inner } = await boundPlainFolder(environment, first, signal);
  const { shadow } = first;
  const before = first.tree ?? (await shadow.writeTree(signal));
  const ignored = [...first.ignored, ...tooLarge, ...inner];
  const kept = { repository, before, ignored, tooLarge: [...first.large, ...tooLarge] };
  await keepSnapshot(options.scratch, kept);
  return snapshotOf(environment, { shadow, kept, scratch, isElsewhere: there !== undefined });
}

/**
 * The snapshot that an earlier process took into the same folder; `undefined` when there is none. Throws when it
 * cannot be read.
 */
export async function reopenSnapshot(
  environment: ExecutionEnvironment,
  options: Pick<SnapshotOptions, "scratch" | "there">,
): Promise<WorkspaceSnapshot | undefined> {
  const kept = await readKeptSnapshot(options.scratch);
  if (kept === undefined) return undefined;
  const scratch = options.there ?? options.scratch;
  const shadow = openShadow(environment, kept.repository, scratch);
  return snapshotOf(environment, { shadow, kept, scratch, isElsewhere: options.there !== undefined });
}

async function repositoryOf(
  environment: ExecutionEnvironment,
  signal?: AbortSignal,
): Promise<GitRepository | undefined> {
  try {
    const found = await findRepository(environment, signal);
    return found === "ignored" ? plainRepository(environment) : found;
  } catch (error) {
    if (!(error instanceof GitFailure) || (await environment.exists(".git").catch(() => false))) throw error;
    return error.exitCode === NO_GIT ? undefined : plainRepository(environment);
  }
}

const NO_GIT = 127;

/** Where the paths of a workspace's changes begin. */
export interface ChangesPlace {
  /** Absolute path of the repository's top folder, or of the workspace itself. */
  readonly folder: string;
  /** Whether that is a plain folder: in no repository, or in one that looks away from it. */
  readonly isPlain: boolean;
}

/** Finds where the paths of a workspace's changes begin. Throws when git fails. */
export async function locateChanges(environment: ExecutionEnvironment): Promise<ChangesPlace> {
  const { top, isPlain = false } = (await repositoryOf(environment)) ?? plainRepository(environment);
  return { folder: top, isPlain };
}

interface Taken {
  readonly shadow: ShadowRepository;
  readonly kept: KeptSnapshot;
  readonly scratch: string;
  readonly isElsewhere: boolean;
}

function snapshotOf(
  environment: ExecutionEnvironment,
  { shadow, kept, scratch, isElsewhere }: Taken,
): WorkspaceSnapshot {
  const { before, ignored } = kept;
  const listOmitted = async (made: readonly string[]): Promise<string[]> => {
    const left = new Set(kept.tooLarge);
    const changed = left.size === 0 ? [] : await listLargeChanges(environment, scratch);
    return [...made, ...changed.filter((path) => left.has(path))];
  };
  return {
    changes: async (excluded = []) => {
      const { tree, made, large } = await shadow.look(before);
      const { tooLarge } = await boundPlainFolder(environment, { shadow, made });
      const omitted = await listOmitted([...large, ...tooLarge]);
      const after = tree ?? (await shadow.writeTree());
      if (before === after) return { ...NO_CHANGES, omitted };
      // What a rule of before kept out was there before: it was not made by the run.
      const wasIgnored = ignored.length === 0 ? [] : ofThese(ignored, await shadow.listAdded(before, after));
      const write = async (name: string, hasBinary: boolean): Promise<string> => {
        const output = join(scratch, name);
        await shadow.diffTrees(before, after, { output, hasBinary, excluded, excludedFromTop: wasIgnored });
        return output;
      };
      if (isElsewhere) return { ...(await fetchChanges(environment, await write("readable.patch", false))), omitted };
      const exact = await write("exact.patch", true);
      return { ...(await readChanges(exact, () => write("readable.patch", false))), omitted };
    },
  };
}

function ofThese(ignored: readonly string[], added: readonly string[]): string[] {
  const files = new Set(ignored);
  const folders = ignored.filter((path) => path.endsWith("/"));
  return added.filter((path) => files.has(path) || folders.some((folder) => path.startsWith(folder)));
}
