import type { Stats } from "node:fs";
import { lstatSync, mkdirSync, readdirSync, rmdirSync, utimesSync } from "node:fs";
import { systemCodeOf } from "../workspace/to-file-error.ts";

/**
 * Time of the last change of every placeholder, in seconds since 1970, by which it is known from an empty folder of the
 * user's: even, and late enough, for every file system.
 */
const MARK_SECONDS = 499_162_920;

/**
 * Whether a folder was made as a placeholder: an empty folder with the mark. Only a folder serves: git passes over empty
 * folders, where it would add an empty file to the next commit; and removing it never removes what somebody put in.
 */
export function isPlaceholder(path: string, found: Stats): boolean {
  if (!found.isDirectory() || found.mtimeMs !== MARK_SECONDS * 1000) return false;
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

/** Whether a placeholder is at a path. */
export function isPlaceholderAt(path: string): boolean {
  try {
    return isPlaceholder(path, lstatSync(path));
  } catch {
    return false;
  }
}

/** Makes a placeholder where nothing is. False where this user cannot: then neither can its commands. */
export function makePlaceholder(path: string): boolean {
  try {
    mkdirSync(path);
    utimesSync(path, MARK_SECONDS, MARK_SECONDS);
    return true;
  } catch (error) {
    // Somebody made something in between: the next command finds it.
    return systemCodeOf(error) === "EEXIST";
  }
}

/** Removes a placeholder, if it is one and still empty. */
export function removePlaceholder(path: string): void {
  try {
    if (isPlaceholderAt(path)) rmdirSync(path);
  } catch {
    // Gone, or not empty any more: then it is the user's.
  }
}
