import type { Stats } from "node:fs";
import { lstatSync, mkdirSync, readdirSync, rmdirSync, utimesSync } from "node:fs";
import { systemCodeOf } from "../workspace/to-file-error.ts";

/**
 * Modification time of every placeholder (empty folder), in seconds since 1970. It distinguishes placeholders from
 * empty folders of the user. Every file system can store this time, because it is an even number and after 1980.
 */
const MARK_SECONDS = 499_162_920;

/**
 * Returns whether a folder is a placeholder: an empty folder with the modification time of placeholders. Placeholders
 * are folders because git ignores empty folders but would commit an empty file. Removing an empty folder also never
 * deletes content.
 */
export function isPlaceholder(path: string, found: Stats): boolean {
  if (!found.isDirectory() || found.mtimeMs !== MARK_SECONDS * 1000) return false;
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

/** Returns whether there is a placeholder at a path. */
export function isPlaceholderAt(path: string): boolean {
  try {
    return isPlaceholder(path, lstatSync(path));
  } catch {
    return false;
  }
}

/**
 * Creates a placeholder (empty folder) if the path does not exist. Returns false if this user may not create it; then
 * the user's commands cannot create the path either.
 */
export function makePlaceholder(path: string): boolean {
  try {
    mkdirSync(path);
    utimesSync(path, MARK_SECONDS, MARK_SECONDS);
    return true;
  } catch (error) {
    // EEXIST: another process has created the path in the meantime. The next command will protect the existing path.
    return systemCodeOf(error) === "EEXIST";
  }
}

/**
 * Removes the placeholder (empty folder) at a path. Does nothing if the path no longer is a placeholder, or is not
 * empty.
 */
export function removePlaceholder(path: string): void {
  try {
    if (isPlaceholderAt(path)) rmdirSync(path);
  } catch {
    // The folder no longer exists, or is not empty and therefore belongs to the user.
  }
}
