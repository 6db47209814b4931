import type { AgedFile } from "../../search/sort-newest-first.ts";
import { sortNewestFirst } from "../../search/sort-newest-first.ts";
import { createTimeSlicer } from "../../search/time-slicer.ts";
import type { SearchScope } from "./search-scope.ts";
import { statFiles } from "./stat-files.ts";

/** So many are looked at together at most: what is done with all of them at once holds the event loop. */
const MOST_AT_ONCE = 10_000;
/** How many more are looked at where they may be as old as the last, and then times as many: as a rule, one is older. */
const [FIRST_EQUALS, GROWTH] = [1, 10];

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
  const turns = createTimeSlicer(signal);
  const found: AgedFile[] = [];
  let isCut = maxResults <= 0;
  let equals = FIRST_EQUALS;
  for (let from = 0; from < paths.length && maxResults > 0; ) {
    const missing = maxResults - found.length;
    const batch = paths.slice(from, from + Math.min(MOST_AT_ONCE, missing > 0 ? missing : equals));
    if (missing <= 0) equals *= GROWTH;
    const aged = await statFiles(scope, batch, { turns });
    for (const file of aged) found.push(file);
    from += batch.length;
    // Of those that are gone by now nobody knows how old they were.
    isCut = missing <= 0 && aged.length > 0 && !hasEqual(aged, found[maxResults - 1]);
    if (isCut) break;
  }
  return { files: (await sortNewestFirst(found, turns)).slice(0, maxResults), isCut };
}

/** Whether some are as old as the last that is wanted: then so may be those behind them. */
function hasEqual(aged: readonly AgedFile[], last: AgedFile | undefined): boolean {
  return aged.some(({ modifiedMs }) => modifiedMs >= (last?.modifiedMs ?? 0));
}
