import { lstatSync } from "node:fs";
import type { AgedFile } from "../../search/sort-newest-first.ts";
import { sortNewestFirst } from "../../search/sort-newest-first.ts";
import type { Turns } from "../../search/turns.ts";
import { createTurns } from "../../search/turns.ts";
import type { OpenedFolder } from "../workspace/pin-path.ts";
import { openFolderNow, openInnerFolderNow } from "../workspace/pin-path.ts";
import { systemCodeOf } from "../workspace/to-file-error.ts";
import type { SearchScope } from "./search-scope.ts";

/** So many are looked at together where the next ones may be as old as the last. */
const EQUALS_AT_ONCE = 100;

/** What was found. */
export interface NewestFiles {
  readonly files: string[];
  /** Whether all behind these are older. */
  readonly isCut: boolean;
}

/** How many files are wanted. */
interface NewestWanted {
  readonly maxResults: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The first of some paths that ripgrep has sorted by their age, those of the same time by name. Each is looked at
 * through a pinned folder: ripgrep may have been led out by one that was swapped for a link, and a file may have been
 * changed since. None behind them is looked at.
 */
export async function newestFiles(
  scope: SearchScope,
  paths: readonly string[],
  { maxResults, signal }: NewestWanted,
): Promise<NewestFiles> {
  const turns = createTurns(signal);
  const found: AgedFile[] = [];
  let isCut = maxResults <= 0;
  for (let from = 0; from < paths.length && maxResults > 0; ) {
    const missing = maxResults - found.length;
    const batch = paths.slice(from, from + (missing > 0 ? missing : EQUALS_AT_ONCE));
    const aged = await lookAt(scope, batch, turns);
    for (const file of aged) found.push(file);
    from += batch.length;
    isCut = missing <= 0 && !hasEqual(aged, found[maxResults - 1]);
    if (isCut) break;
  }
  return { files: (await sortNewestFirst(found, turns)).slice(0, maxResults), isCut };
}

/** Whether some are as old as the last that is wanted: then so may be those behind them. */
function hasEqual(aged: readonly AgedFile[], last: AgedFile | undefined): boolean {
  return aged.some(({ modifiedMs }) => modifiedMs >= (last?.modifiedMs ?? 0));
}

/** Those that are regular files in the workspace, in the order given. */
async function lookAt(scope: SearchScope, paths: readonly string[], turns: Turns): Promise<AgedFile[]> {
  const ages = new Map<string, number>();
  for (const [outer, folders] of groupBy([...groupBy(paths, folderOf)], ([folder]) => folderOf(folder))) {
    // The folders of one folder together: it is opened once for all of them.
    await lookIntoFolders(scope, outer, { folders, ages, turns });
  }
  return paths.flatMap((path) => {
    const modifiedMs = ages.get(path);
    return modifiedMs === undefined ? [] : [{ path, modifiedMs }];
  });
}

// Those of Node are for paths of every kind, and take longer.
function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [value]);
    else known.push(value);
  }
  return groups;
}

interface Looked {
  /** Folders by their paths, with paths of files in them. */
  readonly folders: readonly (readonly [folder: string, inside: readonly string[]])[];
  /** What was found out. */
  readonly ages: Map<string, number>;
  readonly turns: Turns;
}

async function lookIntoFolders(scope: SearchScope, outer: string, looked: Looked): Promise<void> {
  const { folders, ages, turns } = looked;
  const opened = whereItIs(() => openFolderNow(scope.workspace, scope.folder.access(outer)));
  if (opened === undefined) return;
  try {
    for (const [folder, inside] of folders) {
      whereItIs(() => lookIntoFolder(scope, opened, { folder, inside, ages }));
      if (turns.isOver()) await turns.next();
    }
  } finally {
    opened.close();
  }
}

/** Synchronous calls cost a third of the others. */
function lookIntoFolder(
  { workspace }: SearchScope,
  outer: OpenedFolder,
  { folder, inside, ages }: { folder: string; inside: readonly string[]; ages: Map<string, number> },
): void {
  const opened = folder === "." ? outer : openInnerFolderNow(workspace, outer, nameOf(folder));
  try {
    for (const path of inside) {
      const stats = lstatSync(opened.access(nameOf(path)), { throwIfNoEntry: false });
      if (stats?.isFile() === true) ages.set(path, stats.mtimeMs);
    }
  } finally {
    if (opened !== outer) opened.close();
  }
}

/** What comes of a place, unless that is gone, or a link that leads out by now. */
function whereItIs<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}
