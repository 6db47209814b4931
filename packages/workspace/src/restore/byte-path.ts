import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";

/**
 * Relative path, with `/`, as a string of one character per byte (`latin1`), because file names need not be valid
 * UTF-8.
 */
export type BytePath = string;

/** Converts an ordinary relative path to a string of one character per byte. */
export function toBytePath(path: string): BytePath {
  return Buffer.from(path, "utf8").toString("latin1");
}

/** Converts a byte path to text for messages. Invalid UTF-8 is replaced. */
export function fromBytePath(path: BytePath): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** Returns the absolute path, as bytes, of a relative path below a folder. */
export function joinBytes(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`, "utf8"), Buffer.from(path, "latin1")]);
}

/** Returns the parent folders of a relative path, nearest first. */
export function parentsOf(path: BytePath): BytePath[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
}

/**
 * Stats a path. Symbolic links are not followed, neither at the path nor at its parents. `undefined` if the path does
 * not exist, or if a parent is not a folder.
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

/** Parses a path printed by git, which is quoted and escaped if it contains special or non-ASCII bytes. */
export function unquotePath(name: string): BytePath {
  if (!/^".*"$/s.test(name)) return name;
  return name.slice(1, -1).replace(/\\([0-7]{3}|.)/gs, (_, code: string) => {
    return code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPED[code] ?? code);
  });
}
