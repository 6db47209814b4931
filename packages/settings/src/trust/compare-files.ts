import { createHash } from "node:crypto";
import type { TrustedFiles } from "@switchyard/runner";
import type { TextFile } from "../files/read-regular-file.ts";
import { PROJECT_SETTINGS_FILE } from "../files/settings-layer.ts";

/**
 * Files of a workspace that a run may use as settings, skills and commands. `all`: every file with its current content.
 * A map of digests: only files whose content still matches the digest that the user trusted. `none`: no file. See
 * architecture: decision 32.
 */
export type Trust = "all" | "none" | TrustedFiles;

/** Difference between a current file and the version that the user trusted. */
export type FileChange = "new" | "changed" | "removed" | "unchanged";

/** Returns the SHA-256 digest of a settings file, in hexadecimal. */
export function digestFile(file: TextFile): string {
  return createHash("sha256").update(file.text).digest("hex");
}

/** Returns true if the settings of a workspace may be used. */
export function trustsSettings(trust: Trust, file: TextFile): boolean {
  return typeof trust === "string" ? trust === "all" : trust.get(PROJECT_SETTINGS_FILE) === digestFile(file);
}

/** Compares the current files of a workspace with the trusted ones. Returns the differences, sorted by path. */
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
