import { createHash } from "node:crypto";
import type { TrustedFiles } from "@switchyard/runner";
import type { TextFile } from "../files/read-regular-file.ts";
import { PROJECT_SETTINGS_FILE } from "../files/settings-layer.ts";

/**
 * What a run may use of a workspace: `all` of it as it is now, the files with the content that the user trusted, or
 * `none`. architecture: decision 32.
 */
export type Trust = "all" | "none" | TrustedFiles;

/** How a file differs from the one that was trusted. */
export type FileChange = "new" | "changed" | "removed" | "unchanged";

/** Returns the digest of the content of a file of settings. */
export function digestFile(file: TextFile): string {
  return createHash("sha256").update(file.text).digest("hex");
}

/** Whether the settings of a workspace may be used. */
export function trustsSettings(trust: Trust, file: TextFile): boolean {
  return typeof trust === "string" ? trust === "all" : trust.get(PROJECT_SETTINGS_FILE) === digestFile(file);
}

/** Compares the files that were trusted with those that are there, sorted by path. */
export function compareFiles(
  trusted: TrustedFiles,
  found: TrustedFiles,
): { readonly path: string; readonly change: FileChange }[] {
  const paths = [...new Set([...trusted.keys(), ...found.keys()])].sort();
  return paths.map((path) => ({ path, change: changeOf(trusted.get(path), found.get(path)) }));
}

function changeOf(before: string | undefined, now: string | undefined): FileChange {
  if (before === undefined) return "new";
  if (now === undefined) return "removed";
  return before === now ? "unchanged" : "changed";
}
