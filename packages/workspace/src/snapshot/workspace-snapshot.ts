import { join, relative, sep } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { parseStateLines } from "../diff/state-change.ts";
import { type KnownFiles, toUndoRecord, type UndoRecord } from "../diff/undo-record.ts";
import { fetchChanges, NO_CHANGES, readChanges, type WorkspaceChanges } from "../diff/workspace-changes.ts";
import { fromBytePath } from "../restore/byte-path.ts";
import { findRepository, GitFailure, type GitRepository } from "./git-repository.ts";
import { boundPlainFolder, plainRepository } from "./plain-folder.ts";
import { NOT_WRITTEN } from "./shadow-functions.ts";
import { type Comparison, createShadow, directoryIn, openShadow, type ShadowRepository } from "./shadow-repository.ts";
import { readStoredSnapshot, type StoredSnapshot, storeSnapshot } from "./stored-snapshot.ts";

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
   * the workspace. A workspace that was removed is made again, empty. Throws when git fails.
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
  const { tooLarge } = await boundPlainFolder(first, signal);
  const { shadow } = first;
  const before = first.tree ?? (await shadow.writeTree(signal));
  const ignored = [...first.ignored, ...tooLarge];
  const kept = { repository, before, ignored, tooLarge: [...first.large, ...tooLarge] };
  await storeSnapshot(options.scratch, kept);
  return snapshotOf(environment, { shadow, kept, scratch, isElsewhere: there !== undefined });
}

/**
 * The snapshot that an earlier process took into the same folder; `undefined` when there is none. Throws when it
 * cannot be read.
 */
export async function reopenSnapshot(
  environment: ExecutionEnvironment,
  options: Pick<SnapshotOptions, "scratch" | "there" | "excluded">,
): Promise<WorkspaceSnapshot | undefined> {
  const kept = await readStoredSnapshot(options.scratch);
  if (kept === undefined) return undefined;
  const scratch = options.there ?? options.scratch;
  const shadow = openShadow(environment, kept.repository, { scratch, excluded: options.excluded });
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
export interface ChangesLocation {
  /** Absolute path of the repository's top folder, or of the workspace itself. */
  readonly folder: string;
  /** Whether that is a plain folder: in no repository, or in one that looks away from it. */
  readonly isPlain: boolean;
}

/** Finds where the paths of a workspace's changes begin. Throws when git fails. */
export async function locateChanges(environment: ExecutionEnvironment): Promise<ChangesLocation> {
  const { top, isPlain = false } = (await repositoryOf(environment)) ?? plainRepository(environment);
  return { folder: top, isPlain };
}

interface Taken {
  readonly shadow: ShadowRepository;
  readonly kept: StoredSnapshot;
  readonly scratch: string;
  readonly isElsewhere: boolean;
}

function snapshotOf(
  environment: ExecutionEnvironment,
  { shadow, kept, scratch, isElsewhere }: Taken,
): WorkspaceSnapshot {
  const { before, ignored } = kept;
  return {
    changes: async (excluded = []) => {
      // The run may have removed the folder it worked in; git looks at its files from there.
      if (!(await environment.exists("."))) await environment.makeDirectory(".");
      const look = await shadow.look(before);
      const { made, large } = look;
      const { tooLarge } = await boundPlainFolder({ shadow, made });
      const after = look.tree ?? (await shadow.writeTree());
      const changed = look.changed ?? (before === after ? UNCHANGED : await shadow.listChanged(before, after));
      // What a rule of before kept out was there before: it was not made by the run.
      const wasIgnored = ofThese(ignored, changed.added);
      const record = await recordOf(environment, shadow, {
        ...{ kept, after, changed: changed.all, excluded, wasIgnored, tooLarge: [...large, ...tooLarge] },
        lines: look.comparison ?? (await shadow.compare()),
      });
      const isStaged =
        !isElsewhere && record.repositories.some(({ folder, name }) => folder === "" && name === "index");
      const more = { record, ...(isStaged ? { index: join(directoryIn(scratch), "index.before") } : {}) };
      if (before === after) return { ...NO_CHANGES, ...more };
      const write = async (name: string, hasBinary: boolean): Promise<string> => {
        const output = join(scratch, name);
        await shadow.diffTrees(before, after, { output, hasBinary, excluded, excludedFromTop: wasIgnored });
        return output;
      };
      if (isElsewhere) return { ...(await fetchChanges(environment, await write("readable.patch", false))), ...more };
      const exact = await write("exact.patch", true);
      return { ...(await readChanges(exact, () => write("readable.patch", false))), ...more };
    },
  };
}

const UNCHANGED = { all: [], added: [] };

interface Compared {
  readonly kept: StoredSnapshot;
  readonly after: string;
  /** What differs beyond the trees. */
  readonly lines: Comparison;
  /** What differs between the trees. */
  readonly changed: readonly string[];
  readonly excluded: readonly string[];
  readonly wasIgnored: readonly string[];
  readonly tooLarge: readonly string[];
}

async function recordOf(
  { workingDirectory }: ExecutionEnvironment,
  shadow: ShadowRepository,
  { kept, after, lines, changed, excluded, wasIgnored, tooLarge }: Compared,
): Promise<UndoRecord> {
  if (lines.state.length === 0) return toUndoRecord(lines, NOTHING_KNOWN);
  const folder = relative(kept.repository.top, workingDirectory).split(sep).join("/");
  const toTop = (path: string): string => (folder === "" ? path : `${folder}/${path}`);
  const left = new Set(wasIgnored);
  const skipped = new Set(excluded);
  const seen = new Set(changed.filter((path) => !left.has(path)));
  const isSeen = (path: string): boolean => seen.has(toTop(path)) || skipped.has(path);
  // Most runs change only files that differ between the trees: nothing else is listed then.
  const isKnown = hasOnlyFiles(lines.state, isSeen);
  // What does not differ is in both trees or in none.
  if (!isKnown) for (const path of await shadow.listFiles(after)) if (!left.has(path)) seen.add(path);
  const inWorkspace = (path: string): string[] =>
    folder === "" ? [path] : path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [];
  const ignored = isKnown ? [] : [...kept.ignored, ...(await shadow.listIgnored())].flatMap(inWorkspace);
  const record = toUndoRecord(lines, {
    isSeen,
    tooLarge: new Set([...kept.tooLarge, ...tooLarge]),
    ignoredFolders: ignored.filter((path) => path.endsWith("/")),
    isInstalled: (path) => kept.repository.isPlain === true && isInstalled(path),
  });
  return { ...record, modes: record.modes.filter(({ path }) => !skipped.has(fromBytePath(path))) };
}

/** Whether all that differs is files of which `isSeen` says so. */
function hasOnlyFiles(state: readonly string[], isSeen: KnownFiles["isSeen"]): boolean {
  return (
    state[0] !== "?" &&
    parseStateLines(state).every(
      ({ path, before, after }) => isSeen(fromBytePath(path)) && before?.type !== "folder" && after?.type !== "folder",
    )
  );
}

const NOTHING_KNOWN: KnownFiles = {
  isSeen: () => true,
  tooLarge: new Set(),
  ignoredFolders: [],
  isInstalled: () => false,
};

function isInstalled(path: string): boolean {
  const names: readonly string[] = NOT_WRITTEN;
  return path.split("/").some((segment) => names.includes(segment));
}

function ofThese(ignored: readonly string[], added: readonly string[]): string[] {
  const files = new Set(ignored);
  const folders = ignored.filter((path) => path.endsWith("/"));
  return added.filter((path) => files.has(path) || folders.some((folder) => path.startsWith(folder)));
}
