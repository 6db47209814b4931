import { lstatSync } from "node:fs";
import type { AgedFile } from "../../search/sort-newest-first.ts";
import type { TimeSlicer } from "../../search/time-slicer.ts";
import type { OpenedFolder } from "../workspace/pin-path.ts";
import { openFolderNow, openInnerFolderNow } from "../workspace/pin-path.ts";
import { systemCodeOf } from "../workspace/to-file-error.ts";
import type { UnchangedFolder } from "../workspace/unchanged-folder.ts";
import { readUnchangedFolder } from "../workspace/unchanged-folder.ts";
import type { SearchScope } from "./search-scope.ts";

/**
 * Minimum number of folders with the same parent for which the parent is read once, instead of opening each folder. For
 * fewer folders, opening each of them is faster.
 */
const MANY_FOLDERS = 8;
/** Number of files to stat before checking again whether to yield to the event loop. */
const FILES_AT_ONCE = 200;
const THIS_FOLDER = ".";
const QUIET = { throwIfNoEntry: false } as const;

/**
 * Stats paths below a searched folder. Returns those that are regular files in the workspace, in the given order.
 * Symbolic links are not followed, even if one replaces a folder during the call. Uses synchronous calls, which take a
 * third of the time of asynchronous calls, and yields to the event loop regularly.
 */
export async function statFiles(
  scope: SearchScope,
  paths: readonly string[],
  { turns, now }: LookOptions,
): Promise<AgedFile[]> {
  const files = paths.map((path): LookedFile => ({ path, modifiedMs: undefined }));
  for (const [outer, folders] of groupByFolder(files)) {
    // These folders have the same parent folder, which is opened once for all of them.
    const opened = openOuter(scope, outer);
    if (opened === undefined) continue;
    try {
      await statInFolders(scope, opened, { folders, turns, now });
    } finally {
      opened.close();
    }
  }
  const found: AgedFile[] = [];
  for (const { path, modifiedMs } of files) if (modifiedMs !== undefined) found.push({ path, modifiedMs });
  return found;
}

/** Options for `statFiles`. */
interface LookOptions {
  readonly turns: TimeSlicer;
  /** Current time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

interface LookedFile {
  readonly path: string;
  /** Modification time, if the path is a regular file. */
  modifiedMs: number | undefined;
}

/** Files, grouped by the name of their folder. The key `.` contains the files directly in the common parent folder. */
type FilesByFolder = Map<string, LookedFile[]>;

/** Groups files first by the parent of their folder, then by the folder's name. */
function groupByFolder(files: readonly LookedFile[]): Map<string, FilesByFolder> {
  const groups = new Map<string, FilesByFolder>();
  for (const file of files) {
    const folder = folderOf(file.path);
    const outer = folderOf(folder);
    const folders: FilesByFolder = groups.get(outer) ?? new Map();
    if (folders.size === 0) groups.set(outer, folders);
    const name = nameOf(folder);
    const inside = folders.get(name);
    if (inside === undefined) folders.set(name, [file]);
    else inside.push(file);
  }
  return groups;
}

// Custom implementation: Node's `dirname` handles all kinds of paths and is slower.
function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? THIS_FOLDER : path.slice(0, slash);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function openOuter(scope: SearchScope, outer: string): OpenedFolder | undefined {
  try {
    return openFolderNow(scope.workspace, scope.folder.access(outer));
  } catch (error) {
    return assertSystemError(error);
  }
}

interface Looked extends LookOptions {
  readonly folders: FilesByFolder;
}

async function statInFolders(scope: SearchScope, outer: OpenedFolder, looked: Looked): Promise<void> {
  const { folders, turns } = looked;
  const settled = folders.size < MANY_FOLDERS ? undefined : readSettled(outer, looked);
  if (settled !== undefined) {
    for (const { folder, files } of portionsOf(folders)) {
      if (folder === THIS_FOLDER) statAll(files, outer.access("./"));
      else if (settled.folders.has(folder)) statAll(files, outer.access(`${folder}/`));
      if (turns.isOver()) await turns.next();
    }
    if (settled.isUnchanged()) return;
    for (const files of folders.values()) for (const file of files) file.modifiedMs = undefined;
  }
  for (const portion of portionsOf(folders)) {
    statInFolder(scope, outer, portion);
    if (turns.isOver()) await turns.next();
  }
}

/** Files of one folder that are processed together. */
interface Portion {
  readonly folder: string;
  readonly files: readonly LookedFile[];
}

function portionsOf(folders: FilesByFolder): Portion[] {
  const portions: Portion[] = [];
  for (const [folder, files] of folders) {
    for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
      portions.push({ folder, files: files.length <= FILES_AT_ONCE ? files : files.slice(from, from + FILES_AT_ONCE) });
    }
  }
  return portions;
}

function readSettled(outer: OpenedFolder, { folders, now }: Looked): UnchangedFolder | undefined {
  try {
    return readUnchangedFolder(outer, folders.size, now);
  } catch (error) {
    // If, for example, the folder cannot be listed, its subfolders are opened one by one instead.
    return assertSystemError(error);
  }
}

function statInFolder({ workspace }: SearchScope, outer: OpenedFolder, { folder, files }: Portion): void {
  let opened: OpenedFolder | undefined;
  try {
    if (folder !== THIS_FOLDER) opened = openInnerFolderNow(workspace, outer, folder);
    statAll(files, (opened ?? outer).access("./"));
  } catch (error) {
    assertSystemError(error);
  } finally {
    opened?.close();
  }
}

/** Stats files by name in the folder whose path is `prefix`. */
function statAll(files: readonly LookedFile[], prefix: string): void {
  try {
    for (const file of files) {
      const stats = lstatSync(prefix + nameOf(file.path), QUIET);
      if (stats?.isFile() === true) file.modifiedMs = stats.mtimeMs;
    }
  } catch (error) {
    assertSystemError(error);
  }
}

/**
 * Returns `undefined` if the error is a system error: the path no longer exists or leads out of the workspace. Throws
 * any other error.
 */
function assertSystemError(error: unknown): undefined {
  if (systemCodeOf(error) === undefined) throw error;
}
