import { sortInSlices } from "./sort-in-slices.ts";
import type { TimeSlicer } from "./time-slicer.ts";

/** A file with its age. */
export interface AgedFile {
  /** Relative, with `/`. */
  readonly path: string;
  /** Last change, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** Paths in the order in which `glob` hands them out: the last changed first, those of the same time by name. */
export async function sortNewestFirst(files: readonly AgedFile[], turns: TimeSlicer): Promise<string[]> {
  const sorted = await sortInSlices(files, compareAge, turns);
  return sorted.map(({ path }) => path);
}

function compareAge(one: AgedFile, other: AgedFile): number {
  return other.modifiedMs - one.modifiedMs || (one.path < other.path ? -1 : 1);
}
