import type { EntryKind } from "@switchyard/contracts";

/** One difference between an overlay and its base. A folder is listed only if it contains no listed file. */
export interface OverlayChange {
  /** Kind of change. */
  readonly kind: "added" | "modified" | "removed" | "renamed";
  /** Path in the overlay; for a removed entry, in the base. Relative to the working directory. */
  readonly path: string;
  /** Path of a renamed entry in the base. */
  readonly from?: string | undefined;
  /** Kind of the entry. */
  readonly entry: EntryKind;
  /** True if a renamed file also has new content. */
  readonly isModified: boolean;
  /** True if the old or the new content has a NUL near its start. */
  readonly isBinary: boolean;
}
