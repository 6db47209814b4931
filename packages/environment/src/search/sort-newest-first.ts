import { sortInSlices } from "./sort-in-slices.ts";
import type { TimeSlicer } from "./time-slicer.ts";

/** A file and its modification time. */
export interface AgedFile {
  /** Relative path, with `/`. */
  readonly path: string;
  /** Modification time, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** Returns paths in the order of `glob`: most recently modified first, then by name. */
export async function sortNewestFirst(files: readonly AgedFile[], turns: TimeSlicer): Promise<string[]> {
  const sorted = await sortInSlices(files, compareAge, turns);
  return sorted.map(({ path }) => path);
}

function compareAge(one: AgedFile, other: AgedFile): number {
  return other.modifiedMs - one.modifiedMs || (one.path < other.path ? -1 : 1);
}
