import type { EntryKind } from "@switchyard/contracts";

/** One difference between an overlay and its base. Folders are told of only where no file of theirs is. */
export interface OverlayChange {
  /** What became of it. */
  readonly kind: "added" | "modified" | "removed" | "renamed";
  /** Where it is in the overlay, or was in the base when it was removed; relative to the working directory. */
  readonly path: string;
  /** Where it was in the base, when it was renamed. */
  readonly from?: string | undefined;
  /** What it is. */
  readonly entry: EntryKind;
  /** Whether a file that was renamed has another content too. */
  readonly isModified: boolean;
  /** Whether the old content or the new one has a NUL near its start. */
  readonly isBinary: boolean;
}
