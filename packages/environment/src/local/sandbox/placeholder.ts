import type { Stats } from "node:fs";
import { lstatSync, mkdirSync, readdirSync, rmdirSync, utimesSync } from "node:fs";
import { systemCodeOf } from "../workspace/to-file-error.ts";

/**
 * Modification time of every placeholder, in seconds since 1970, which distinguishes it from a user's empty folder.
 * Even and late enough for every file system.
 */
const MARK_SECONDS = 499_162_920;

/**
 * Returns whether a folder is a placeholder: an empty folder with the mark. Placeholders are folders because git
 * ignores empty folders but would commit an empty file, and removing one never deletes content.
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
 * Creates a placeholder if the path does not exist. Returns false if this user lacks permission; then its commands lack
 * it too.
 */
export function makePlaceholder(path: string): boolean {
  try {
    mkdirSync(path);
    utimesSync(path, MARK_SECONDS, MARK_SECONDS);
    return true;
  } catch (error) {
    // Created by another process meanwhile: the next command finds it.
    return systemCodeOf(error) === "EEXIST";
  }
}

/** Removes a placeholder if it still is one and empty. */
export function removePlaceholder(path: string): void {
  try {
    if (isPlaceholderAt(path)) rmdirSync(path);
  } catch {
    // Gone, or not empty and therefore the user's.
  }
}
