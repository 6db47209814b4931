import { join, relative, sep } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { parseStateLines } from "../diff/state-change.ts";
import { type KnownFiles, toUndoRecord, type UndoRecord } from "../diff/undo-record.ts";
import {
  MAX_DIFF_BYTES,
  NO_CHANGES,
  readChanges,
  readRemote,
  toReadable,
  type WorkspaceChanges,
} from "../diff/workspace-changes.ts";
import { fromBytePath } from "../restore/byte-path.ts";
import { createEmptyShadow, createShadow } from "./create-shadow.ts";
import { isPlainLocalFolder, modeOfEmptyFolder } from "./empty-folder.ts";
import { NOT_WRITTEN } from "./entry-functions.ts";
import { findRepository, GitFailure, type GitRepository } from "./git-repository.ts";
import { plainRepository } from "./plain-folder.ts";
import type { Comparison } from "./shadow-output.ts";
import { directoryIn, fromTop } from "./shadow-paths.ts";
import { openShadow, type ShadowRepository } from "./shadow-repository.ts";
import { readStoredSnapshot, type StoredSnapshot, storeSnapshot } from "./stored-snapshot.ts";
import { EMPTY_TREE } from "./tree-functions.ts";

/** Options of a snapshot. */
export interface SnapshotOptions {
  /**
   * Private folder of the runner on this machine, for the repository that stores snapshots. Created if missing, and not
   * removed.
   */
  scratch: string;
  /** Like `scratch`, but a folder in a remote environment. The caller creates and removes it. */
  existing?: string | undefined;
  /** Absolute path of a folder that the snapshot does not contain. It may be inside the workspace. */
  excluded?: string | undefined;
  /** Aborts taking the snapshot. Has no effect on computing changes later. */
  signal?: AbortSignal | undefined;
}

/** A snapshot: the state of a workspace at one moment, from which later changes are computed. */
export interface WorkspaceSnapshot {
  /**
   * Resolves with the changes since the snapshot. Untracked files are included; the files in `excluded` (paths relative
   * to the workspace) are not. If the workspace was removed, it is created again, empty. Throws if git fails.
   */
  changes(excluded?: readonly string[]): Promise<WorkspaceChanges>;
  /** Removes the snapshot's data in a remote environment. Called if the run will not be resumed. */
  discard?(): Promise<void>;
}

/**
 * Takes a snapshot of a workspace. `undefined` if git is not installed. Throws if git fails, and if a plain folder is
 * too large.
 *
 * The user's repository is only read: snapshots are stored in a separate repository with its own index, objects and
 * settings. The user's index is not touched, and nothing configured by the workspace's repository (filters, hooks,
 * monitors, diff programs) is executed. See architecture: decision 26. A plain folder is handled in the same way, with
 * size limits and without installed or compiled files. For an empty folder on this machine, git runs only if the folder
 * is no longer empty when the changes are computed.
 */
export async function takeSnapshot(
  environment: ExecutionEnvironment,
  options: SnapshotOptions,
): Promise<WorkspaceSnapshot | undefined> {
  const { signal, existing, excluded } = options;
  const scratch = existing ?? options.scratch;
  const emptyMode = existing === undefined ? await modeOfEmptyFolder(environment) : undefined;
  if (emptyMode !== undefined) {
    const stored = {
      repository: plainRepository(environment),
      before: EMPTY_TREE,
      ignored: [],
      tooLarge: [],
      emptyMode,
    };
    await storeSnapshot(options.scratch, stored);
    const shadow = openShadow(environment, stored.repository, { scratch, excluded });
    return snapshotOf(environment, { shadow, stored, scratch, excluded, isElsewhere: false });
  }
  const repository = await repositoryOf(environment, signal);
  if (repository === undefined) return undefined;
  const patterns = repository.isPlain === true ? PLAIN_PATTERNS : [];
  const first = await createShadow(environment, repository, { ...options, scratch, patterns }).catch(ifGit);
  if (first === undefined) return undefined;
  const { shadow, tree: before, large } = first;
  const ignored = [...first.ignored, ...fromTop(large, environment, repository)];
  const stored = { repository, before, ignored, tooLarge: large };
  await storeSnapshot(options.scratch, stored);
  return snapshotOf(environment, { shadow, stored, scratch, excluded, isElsewhere: existing !== undefined });
}

const NO_GIT = 127;

/** Returns `undefined` if the error says that git is not installed. Throws every other error. */
function ifGit(error: unknown): undefined {
  if (error instanceof GitFailure && error.exitCode === NO_GIT) return undefined;
  throw error;
}

/** Exclude patterns for folders without git. */
const PLAIN_PATTERNS = NOT_WRITTEN.map((name) => `${name}/`);

/**
 * Reopens the snapshot that an earlier process took in the same folder. `undefined` if there is none. Throws if it is
 * unreadable.
 */
export async function reopenSnapshot(
  environment: ExecutionEnvironment,
  options: Pick<SnapshotOptions, "scratch" | "existing" | "excluded">,
): Promise<WorkspaceSnapshot | undefined> {
  const stored = await readStoredSnapshot(options.scratch);
  if (stored === undefined) return undefined;
  const scratch = options.existing ?? options.scratch;
  const { excluded } = options;
  const shadow = openShadow(environment, stored.repository, { scratch, excluded });
  return snapshotOf(environment, { shadow, stored, scratch, excluded, isElsewhere: options.existing !== undefined });
}

async function repositoryOf(
  environment: ExecutionEnvironment,
  signal?: AbortSignal,
): Promise<GitRepository | undefined> {
  if (await isPlainLocalFolder(environment)) return plainRepository(environment);
  try {
    const found = await findRepository(environment, signal);
    return found === "ignored" ? plainRepository(environment) : found;
  } catch (error) {
    if (!(error instanceof GitFailure) || (await environment.exists(".git").catch(() => false))) throw error;
    return error.exitCode === NO_GIT ? undefined : plainRepository(environment);
  }
}

/** Folder to which the paths of a workspace's changes are relative. */
export interface ChangesLocation {
  /** Absolute path of the repository's top folder, or of the workspace itself. */
  readonly folder: string;
  /** True if the workspace is a plain folder: it is in no git repository, or its repository does not track it. */
  readonly isPlain: boolean;
}

/** Finds the folder to which the paths of a workspace's changes are relative. Throws if git fails. */
export async function locateChanges(environment: ExecutionEnvironment): Promise<ChangesLocation> {
  const { top, isPlain = false } = (await repositoryOf(environment)) ?? plainRepository(environment);
  return { folder: top, isPlain };
}

interface OpenedSnapshot {
  readonly shadow: ShadowRepository;
  readonly stored: StoredSnapshot;
  readonly scratch: string;
  readonly excluded: string | undefined;
  readonly isElsewhere: boolean;
}

function snapshotOf(
  environment: ExecutionEnvironment,
  { shadow, stored, scratch, isElsewhere, excluded: runsFolder }: OpenedSnapshot,
): WorkspaceSnapshot {
  const { before, ignored } = stored;
  return {
    changes: async (excluded = []) => {
      // The run may have removed the workspace folder, which git needs as its working folder.
      if (!(await environment.exists("."))) await environment.makeDirectory(".");
      const { repository, emptyMode: mode } = stored;
      if (mode !== undefined && (await modeOfEmptyFolder(environment)) === mode) return NO_CHANGES;
      const output = join(scratch, isElsewhere ? "readable.patch" : "exact.patch");
      const location = { excluded: runsFolder, patterns: PLAIN_PATTERNS };
      const look = await shadow.look(before, {
        ...{ output, hasBinary: !isElsewhere, excluded },
        first: mode === undefined ? undefined : createEmptyShadow(repository, { ...location, mode }),
        shown: isElsewhere ? MAX_DIFF_BYTES + 1 : undefined,
      });
      const { tree: after, changed, large } = look;
      // Files that an ignore rule excluded before the run are not new, even if the rule no longer applies.
      const wasIgnored = ofThese(ignored, changed.added);
      const record = await recordOf(environment, shadow, {
        ...{ stored, after, changed: changed.all, excluded, wasIgnored, tooLarge: large, lines: look.comparison },
      });
      const isStaged =
        !isElsewhere && record.repositories.some(({ folder, name }) => folder === "" && name === "index");
      const more = { record, ...(isStaged ? { index: join(directoryIn(scratch), "index.before") } : {}) };
      if (before === after) return { ...NO_CHANGES, ...more };
      const excludedFromTop = wasIgnored.length === 0 ? [] : entriesOf(ignored, wasIgnored);
      const write = async (name: string, hasBinary: boolean): Promise<string> => {
        const path = join(scratch, name);
        await shadow.diffTrees(before, after, { output: path, hasBinary, excluded, excludedFromTop });
        return path;
      };
      const written = wasIgnored.length === 0 ? look.diff : undefined;
      if (isElsewhere) {
        const diff = written ?? (await readRemote(environment, await write("readable.patch", false)));
        return { ...toReadable(diff), ...more };
      }
      if (written === undefined) await write("exact.patch", true);
      return { ...(await readChanges(output, () => write("readable.patch", false))), ...more };
    },
  };
}

interface Compared {
  readonly stored: StoredSnapshot;
  readonly after: string;
  /** Differences that the git trees do not contain. */
  readonly lines: Comparison;
  /** Differences between the git trees before and after the run. */
  readonly changed: readonly string[];
  readonly excluded: readonly string[];
  readonly wasIgnored: readonly string[];
  readonly tooLarge: readonly string[];
}

async function recordOf(
  { workingDirectory }: ExecutionEnvironment,
  shadow: ShadowRepository,
  { stored, after, lines, changed, excluded, wasIgnored, tooLarge }: Compared,
): Promise<UndoRecord> {
  if (lines.state.length === 0) return toUndoRecord(lines, NO_KNOWN_FILES);
  const folder = relative(stored.repository.top, workingDirectory).split(sep).join("/");
  const toTop = (path: string): string => (folder === "" ? path : `${folder}/${path}`);
  const omitted = new Set(wasIgnored);
  const skipped = new Set(excluded);
  const seen = new Set(changed.filter((path) => !omitted.has(path)));
  const isSeen = (path: string): boolean => seen.has(toTop(path)) || skipped.has(path);
  // Most runs change only files that differ between the git trees. Then the other files need not be listed.
  const isKnown = hasOnlyFiles(lines.state, isSeen);
  // A file that does not differ between the git trees is either in both or in none.
  const listed = isKnown ? { files: [], ignored: [] } : await shadow.listFiles(after);
  for (const path of listed.files) if (!omitted.has(path)) seen.add(path);
  const inWorkspace = (path: string): string[] =>
    folder === "" ? [path] : path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [];
  const ignored = isKnown ? [] : [...stored.ignored, ...listed.ignored].flatMap(inWorkspace);
  const record = toUndoRecord(lines, {
    isSeen,
    tooLarge: new Set([...stored.tooLarge, ...tooLarge]),
    ignoredFolders: ignored.filter((path) => path.endsWith("/")),
    isInstalled: (path) => stored.repository.isPlain === true && isInstalled(path),
  });
  return { ...record, modes: record.modes.filter(({ path }) => !skipped.has(fromBytePath(path))) };
}

/** Returns whether all differences concern files, and `isSeen` returns true for each of them. */
function hasOnlyFiles(state: readonly string[], isSeen: KnownFiles["isSeen"]): boolean {
  return (
    state[0] !== "?" &&
    parseStateLines(state).every(
      ({ path, before, after }) => isSeen(fromBytePath(path)) && before?.type !== "folder" && after?.type !== "folder",
    )
  );
}

const NO_KNOWN_FILES: KnownFiles = {
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

/** Returns the entries of `ignored` that contain one of the paths. They are fewer than the paths of installed files. */
function entriesOf(ignored: readonly string[], paths: readonly string[]): string[] {
  const files = new Set(paths);
  return ignored.filter((entry) =>
    entry.endsWith("/") ? paths.some((path) => path.startsWith(entry)) : files.has(entry),
  );
}
