import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";

/**
 * Path as bytes, because a name need not be UTF-8: a string of one character per byte (`latin1`), relative, with `/`.
 */
export type BytePath = string;

/** Converts an ordinary relative path. */
export function toBytePath(path: string): BytePath {
  return Buffer.from(path, "utf8").toString("latin1");
}

/** Converts a path for messages. Invalid UTF-8 is replaced. */
export function fromBytePath(path: BytePath): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** Returns the absolute path of a relative one below a folder, for the file system. */
export function joinBytes(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`, "utf8"), Buffer.from(path, "latin1")]);
}

/** Returns the parents of a path, nearest first. */
export function parentsOf(path: BytePath): BytePath[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
}

/**
 * Stats a path without following links in any part of the path. `undefined` if the path does not exist, or a parent is
 * not a folder.
 */
export async function lstatPath(folder: string, path: BytePath): Promise<Stats | undefined> {
  for (const parent of parentsOf(path).reverse()) {
    const found = await lstatOf(joinBytes(folder, parent));
    if (found?.isDirectory() !== true) return undefined;
  }
  return lstatOf(joinBytes(folder, path));
}

async function lstatOf(path: Buffer): Promise<Stats | undefined> {
  return lstat(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    throw error;
  });
}

const ESCAPED: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" };

/** Parses a path as printed by git: quoted with escapes if it has special or non-ASCII bytes. */
export function unquotePath(name: string): BytePath {
  if (!/^".*"$/s.test(name)) return name;
  return name.slice(1, -1).replace(/\\([0-7]{3}|.)/gs, (_, code: string) => {
    return code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPED[code] ?? code);
  });
}
