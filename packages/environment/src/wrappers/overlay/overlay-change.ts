import type { EntryKind } from "@switchyard/contracts";

/**
 * One difference between an overlay and its base environment. A folder is listed only if no file below it is listed.
 */
export interface OverlayChange {
  /** Kind of change. */
  readonly kind: "added" | "modified" | "removed" | "renamed";
  /** Path in the overlay, or in the base environment for a removed entry. Relative to the working directory. */
  readonly path: string;
  /** For a renamed entry, its path in the base environment. */
  readonly from?: string | undefined;
  /** Kind of the entry. */
  readonly entry: EntryKind;
  /** True if a renamed file also has new content. */
  readonly isModified: boolean;
  /** True if the old or the new content is binary: it contains a NUL near its start. */
  readonly isBinary: boolean;
}
