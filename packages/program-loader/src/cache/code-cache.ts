import { createHash } from "node:crypto";
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import type { Script } from "node:vm";
import { liesInProc } from "./lies-in-proc.ts";

const DIGEST_BYTES = 32;
const HEAD_BYTES = DIGEST_BYTES + 4;
/** Permission bits that allow users other than the owner to write to a file. */
const WRITABLE_BY_OTHERS = 0o022;

/** Age after which an unused cache file is removed, in milliseconds. Its program version was probably replaced. */
const OLD_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * Cache of the code that V8 has compiled from scripts. An earlier process has stored the code, so that this process
 * need not compile the scripts again.
 */
export interface CodeCache {
  /** Returns the cached code of a script. `undefined` if there is none. */
  get(name: string): Buffer | undefined;
  /**
   * Adds a script that was compiled because the cache had no code for it, or because V8 has rejected the cached code.
   */
  add(name: string, script: Script): void;
  /** Stores the compiled code of the added scripts for the next process. */
  save(): void;
}

/**
 * Returns the path of the cache file for a program, in a folder that several programs and versions may share. Each
 * build of the program, version of Node and combination of V8 flags has its own file. `file` is the first file of the
 * program; it identifies the build if it contains the content hashes of all others.
 */
export function codeCachePath(folder: string, file: string): string {
  const build = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);
  return join(folder, `${build}-${process.version}-${process.arch}-${cachedDataVersionTag()}`);
}

/**
 * Opens a cache file. The cache is empty if the file is incomplete, or if users other than its owner can write to it.
 * V8 does not validate cached code, so a truncated file would crash the process.
 */
export function openCodeCache(path: string): CodeCache {
  const known = readEntries(path);
  const added = new Map<string, Script>();
  return {
    get: (name) => known.get(name),
    add: (name, script) => void added.set(name, script),
    save: () => {
      if (added.size === 0 || liesInProc(path)) return;
      const entries = new Map(known);
      for (const [name, script] of added) entries.set(name, script.createCachedData());
      try {
        writeEntries(path, entries);
        removeOld(path);
      } catch {
        // If the cache cannot be written, the next process compiles the scripts again.
      }
    },
  };
}

function readEntries(path: string): ReadonlyMap<string, Buffer> {
  try {
    const bytes = readOwn(path);
    return bytes === undefined || !isWhole(bytes) ? new Map() : parseEntries(bytes);
  } catch {
    return new Map();
  }
}

function readOwn(path: string): Buffer | undefined {
  const file = openSync(path, "r");
  try {
    const { uid, mode } = fstatSync(file);
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & WRITABLE_BY_OTHERS) === 0);
    return isOwn ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function isWhole(bytes: Buffer): boolean {
  return bytes.length > HEAD_BYTES && digestOf(bytes.subarray(DIGEST_BYTES)).equals(bytes.subarray(0, DIGEST_BYTES));
}

/**
 * Parses a cache file: a digest of the rest, the length of a table with names and lengths, the table, and the cached
 * code.
 */
function parseEntries(bytes: Buffer): Map<string, Buffer> {
  let start = HEAD_BYTES + bytes.readUInt32LE(DIGEST_BYTES);
  const table: unknown = JSON.parse(bytes.toString("utf8", HEAD_BYTES, start));
  const entries = new Map<string, Buffer>();
  for (const row of Array.isArray(table) ? table : []) {
    const [name, length]: unknown[] = row;
    if (typeof name !== "string" || typeof length !== "number") return new Map();
    entries.set(name, bytes.subarray(start, start + length));
    start += length;
  }
  return entries;
}

function writeEntries(path: string, entries: ReadonlyMap<string, Buffer>): void {
  const table = Buffer.from(JSON.stringify(Array.from(entries, ([name, { length }]) => [name, length])));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(table.length);
  const body = Buffer.concat([size, table, ...entries.values()]);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([digestOf(body), body]), { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes files that earlier versions left next to the cache. */
function removeOld(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    if (other !== path && Date.now() - statSync(other).mtimeMs > OLD_MS) rmSync(other, { force: true });
  }
}
