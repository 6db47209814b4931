import type { AgedFile } from "../../search/sort-newest-first.ts";
import { sortNewestFirst } from "../../search/sort-newest-first.ts";
import { createTimeSlicer } from "../../search/time-slicer.ts";
import type { SearchScope } from "./search-scope.ts";
import { statFiles } from "./stat-files.ts";

/** Maximum number of files checked in one batch, because checking a batch blocks the event loop. */
const MOST_AT_ONCE = 10_000;
/**
 * Once enough files are found, further files are checked in batches, because they may have the same modification time
 * as the last file. `FIRST_EQUALS`: size of the first batch. `GROWTH`: factor by which each further batch is larger.
 * Usually the file of the first batch is already older, and checking ends.
 */
const [FIRST_EQUALS, GROWTH] = [1, 10];

/** Result of `newestFiles`. */
export interface NewestFiles {
  readonly files: string[];
  /** True if every file that was not checked is known to be older than the returned files. */
  readonly isCut: boolean;
}

/** Number of files to return, and the caller's abort signal. */
interface NewestWanted {
  readonly maxResults: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the newest of several files, sorted by modification time, newest first, then by name. Unless all files are
 * requested, `paths` must be in the order in which ripgrep lists them: newest first. Each file is checked again,
 * because since the search, the file may have changed, or its folder may have been replaced by a symbolic link.
 * Checking stops as soon as the remaining paths can only be older files.
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
    // Checking ends when all existing files of a further batch are older than the last file to return. If no file of
    // the batch exists any more, the following files may still be as new, so checking continues.
    isCut = missing <= 0 && aged.length > 0 && !hasEqual(aged, found[maxResults - 1]);
    if (isCut) break;
  }
  return { files: (await sortNewestFirst(found, turns)).slice(0, maxResults), isCut };
}

/**
 * Returns whether one of the files is at least as new as the last file to return. If so, the files after them may be as
 * new too.
 */
function hasEqual(aged: readonly AgedFile[], last: AgedFile | undefined): boolean {
  return aged.some(({ modifiedMs }) => modifiedMs >= (last?.modifiedMs ?? 0));
}
