import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";

/**
 * Paths are bytes: a name need not be UTF-8. Here they are strings of one character per byte (`latin1`), relative, with `/`.
 */
export type BytePath = string;

/** Converts an ordinary relative path. */
export function toBytePath(path: string): BytePath {
  return Buffer.from(path, "utf8").toString("latin1");
}

/** Converts a path for messages; bytes that are not UTF-8 are replaced. */
export function fromBytePath(path: BytePath): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** Absolute path of a relative one below a folder, for the file system. */
export function joinBytes(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`, "utf8"), Buffer.from(path, "latin1")]);
}

/** Parents of a path, from the nearest to the outermost. */
export function parentsOf(path: BytePath): BytePath[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
}

/** Looks at a path without following links, in any part of it. `undefined` if there is nothing, or a parent is no folder. */
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

/** Reads a path as git prints it: in quotes with escapes if it has special or non-ASCII bytes. */
export function unquotePath(name: string): BytePath {
  if (!/^".*"$/s.test(name)) return name;
  return name.slice(1, -1).replace(/\\([0-7]{3}|.)/gs, (_, code: string) => {
    return code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPED[code] ?? code);
  });
}
