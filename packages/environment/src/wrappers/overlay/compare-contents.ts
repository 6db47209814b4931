import type { BaseFolder } from "./base-folder.ts";
import type { Difference } from "./find-differences.ts";
import { inBatches } from "./in-batches.ts";
import type { OverlayChange } from "./overlay-change.ts";
import { readFullFile } from "./read-full-file.ts";

/** Number of bytes in which git searches for a NUL to detect a binary file. */
const BINARY_CHECK_BYTES = 8000;

/**
 * Converts differences between an overlay and its base environment to changes. A file rewritten with its old content is
 * not a change.
 */
export async function compareContents(differences: readonly Difference[], base: BaseFolder): Promise<OverlayChange[]> {
  const changes = await inBatches(differences, async (one) => toChange(one, base));
  return changes.flatMap((change) => change ?? []);
}

async function toChange(difference: Difference, base: BaseFolder): Promise<OverlayChange | undefined> {
  const { entry, before, after, bytes } = difference;
  const old = entry === "file" && before !== undefined ? await headOf(base, before) : undefined;
  const isBinary = [old, bytes].some((one) => one?.subarray(0, BINARY_CHECK_BYTES).includes(0) === true);
  const about = { entry, isBinary, isModified: false };
  if (after === undefined) return { kind: "removed", path: before ?? "", ...about };
  if (before === undefined) return { kind: "added", path: after, ...about };
  const isModified = bytes !== undefined && !(await hasContent(base, before, bytes));
  if (before !== after) return { kind: "renamed", path: after, from: before, ...about, isModified };
  return isModified ? { kind: "modified", path: after, ...about, isModified } : undefined;
}

function headOf({ environment }: BaseFolder, path: string): Promise<Uint8Array> {
  return environment.readBytes(path, { length: BINARY_CHECK_BYTES });
}

async function hasContent(base: BaseFolder, path: string, bytes: Uint8Array): Promise<boolean> {
  const size = (await base.statIfExists(path))?.size;
  return size === bytes.length && isSame(await readFullFile(base.environment, path), bytes);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
