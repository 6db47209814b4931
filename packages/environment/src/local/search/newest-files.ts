import { lstatSync } from "node:fs";
import { basename, dirname } from "node:path/posix";
import type { AgedFile } from "../../search/sort-newest-first.ts";
import { sortNewestFirst } from "../../search/sort-newest-first.ts";
import type { Turns } from "../../search/turns.ts";
import { createTurns } from "../../search/turns.ts";
import { openFolderNow } from "../workspace/pin-path.ts";
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
  for (const [folder, inside] of groupByFolder(paths)) {
    lookIntoFolder(scope, { folder, inside }, ages);
    if (turns.isOver()) await turns.next();
  }
  return paths.flatMap((path) => {
    const modifiedMs = ages.get(path);
    return modifiedMs === undefined ? [] : [{ path, modifiedMs }];
  });
}

function groupByFolder(paths: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const folder = dirname(path);
    const known = folders.get(folder);
    if (known === undefined) folders.set(folder, [path]);
    else known.push(path);
  }
  return folders;
}

/** Synchronous calls cost a third of the others. */
function lookIntoFolder(
  scope: SearchScope,
  { folder, inside }: { folder: string; inside: readonly string[] },
  ages: Map<string, number>,
): void {
  try {
    const opened = openFolderNow(scope.workspace, scope.folder.access(folder));
    try {
      for (const path of inside) {
        const stats = lstatSync(opened.access(basename(path)), { throwIfNoEntry: false });
        if (stats?.isFile() === true) ages.set(path, stats.mtimeMs);
      }
    } finally {
      opened.close();
    }
  } catch (error) {
    // Gone, or a link that leads out by now.
    if (systemCodeOf(error) === undefined) throw error;
  }
}
