import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { NOT_WRITTEN } from "../snapshot/entry-functions.ts";

/** Properties of a file, folder or link, by which a later change is detected. */
export interface ListedFile {
  readonly kind: "file" | "folder" | "link";
  /** Permission bits. */
  readonly mode: number;
  /** Size in bytes; 0 for folders. */
  readonly size: number;
  /** Inode, and the times of the last change of content and properties, in milliseconds. Empty for folders. */
  readonly stamp: string;
  /** Time of the last change of content or properties, in milliseconds since 1970; 0 for folders. */
  readonly changedMs: number;
}

/** Files, folders and links of a workspace. */
export interface FileList {
  /** Entries by path relative to the workspace. A folder comes before its content. */
  readonly files: ReadonlyMap<string, ListedFile>;
  /** Time at which the listing began, in milliseconds since 1970. */
  readonly listedMs: number;
}

/** The workspace has too many files, or files that are too large, to be stored. */
export class CaptureLimit extends Error {
  /** Name of the class. */
  override readonly name: string = "CaptureLimit";
}

/** Maximum number of files, folders and links in a workspace. A larger workspace is rejected with `CaptureLimit`. */
const MAX_ENTRIES = 50_000;
/**
 * Number of entries that are listed at a time. Then the listing pauses, so that other work of this process can
 * continue.
 */
const ENTRIES_AT_ONCE = 1_000;
const SKIPPED: ReadonlySet<string> = new Set(NOT_WRITTEN);
const PERMISSIONS = 0o777;

function toListed(found: Stats): ListedFile | undefined {
  const mode = found.mode & PERMISSIONS;
  if (found.isDirectory()) return { kind: "folder", mode, size: 0, stamp: "", changedMs: 0 };
  const kind = found.isFile() ? "file" : found.isSymbolicLink() ? "link" : undefined;
  if (kind === undefined) return undefined;
  const stamp = `${found.ino} ${found.mtimeMs} ${found.ctimeMs}`;
  return { kind, mode, size: found.size, stamp, changedMs: found.ctimeMs };
}

/** Returns the result of `read`. `undefined` if `read` fails because the file or folder was removed meanwhile. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code)))
      return undefined;
    throw error;
  }
}

/**
 * Lists all files, folders and links of a workspace, except folders with installed or compiled files, named pipes and
 * sockets. Links are not followed. Rejects with `CaptureLimit` for more than 50,000 entries, and if a name is not valid
 * UTF-8.
 */
export async function listFiles(root: string): Promise<FileList> {
  const files = new Map<string, ListedFile>();
  const listedMs = Date.now();
  const folders = [""];
  let sinceYield = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const inside = folder;
    for (const name of ifThere(() => readdirSync(join(root, inside))) ?? []) {
      if (SKIPPED.has(name)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name.includes("\uFFFD")) throw new CaptureLimit(`the name ${path} is not valid UTF-8`);
      const found = ifThere(() => lstatSync(join(root, path)));
      const listed = found === undefined ? undefined : toListed(found);
      if (listed === undefined) continue;
      files.set(path, listed);
      if (files.size > MAX_ENTRIES) throw new CaptureLimit(`it has more than ${MAX_ENTRIES} files and folders`);
      if (listed.kind === "folder") folders.push(path);
      sinceYield += 1;
    }
    if (sinceYield >= ENTRIES_AT_ONCE) {
      sinceYield = 0;
      await yieldToOthers();
    }
  }
  return { files, listedMs };
}

/** Returns a list of files in its stored form. */
export function renderFileList({ files, listedMs }: FileList): string {
  return JSON.stringify({ format: 1, listed_ms: listedMs, files: [...files] });
}

/** Returns a list of files from its stored form. `undefined` if the text has another format. */
export function parseFileList(text: string): FileList | undefined {
  const { format, listed_ms: listedMs, files } = Object(JSON.parse(text));
  if (format !== 1 || typeof listedMs !== "number" || !Array.isArray(files)) return undefined;
  return { listedMs, files: new Map(files) };
}
