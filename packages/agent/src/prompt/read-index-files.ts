import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { runGit } from "./run-git.ts";

/** Maximum total length of the paths on one git command line, in bytes. Systems allow at least 128 KiB. */
const COMMAND_LINE_BYTES = 64 * 1024;
/**
 * Maximum output of one git query, in characters. The output can be as long as the list of paths, because git repeats
 * the path of each missing file.
 */
const MAX_ANSWER_CHARS = 64 * 1024 * 1024;

/** A file in the git index. */
interface IndexFile {
  /** Path relative to the root of the working tree. */
  readonly path: string;
  /** Object id of the content. */
  readonly object: string;
  /** Size in bytes. */
  readonly bytes: number;
}

/** Options for `readIndexFiles`. */
export interface ReadIndexOptions {
  /** Root of the working tree. */
  readonly folder: string;
  /** Approximate size after which files are truncated, in bytes. */
  readonly maxBytes: number;
  /** Signal that stops reading when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Content of one file. */
export interface IndexFileText {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads the given files from the git index, in order. Paths are relative to the root of the working tree. Skips
 * unreadable files and everything but regular files. Never rejects. The number of git processes does not depend on the
 * number of files, unless the paths exceed the limit for a command line or for the output.
 */
export async function* readIndexFiles(
  environment: ExecutionEnvironment,
  paths: readonly string[],
  options: ReadIndexOptions,
): AsyncGenerator<IndexFileText> {
  const found = await findFiles(environment, paths, options);
  const regular = await regularFiles(environment, found, options);
  for (const batch of toBatches(regular, options.maxBytes, ({ bytes }) => bytes)) {
    yield* readBatch(environment, batch, options);
  }
}

/** Returns the paths that exist in the git index, with the sizes of the files. Includes symbolic links. */
async function findFiles(
  environment: ExecutionEnvironment,
  paths: readonly string[],
  { folder, signal }: ReadIndexOptions,
): Promise<IndexFile[]> {
  if (paths.length === 0) return [];
  const names = paths.map((path) => `:0:${path}`);
  // Separate the names by NUL (`-z`) only if a path contains a line feed, because `-z` requires git 2.38.
  const [end, ending] = names.some((name) => name.includes("\n")) ? ["\0", ["-z"]] : ["\n", []];
  const output = await runGit(environment, ["cat-file", "--batch-check", ...ending], {
    stdin: names.map((name) => `${name}${end}`).join(""),
    maxOutputChars: MAX_ANSWER_CHARS,
    isComplete: true,
    folder,
    signal,
  });
  return output === undefined ? [] : parseFound(output, paths);
}

function parseFound(output: string, paths: readonly string[]): IndexFile[] {
  const files: IndexFile[] = [];
  let at = 0;
  for (const path of paths) {
    const missing = `:0:${path} missing\n`;
    if (output.startsWith(missing, at)) {
      at += missing.length;
      continue;
    }
    const end = output.indexOf("\n", at);
    if (end < 0) break;
    const [object = "", type, bytes] = output.slice(at, end).split(" ");
    if (type === "blob" && bytes !== "0") files.push({ path, object, bytes: Number(bytes) });
    at = end + 1;
  }
  return files;
}

/** Removes symbolic links, whose content is only a target path. */
async function regularFiles(
  environment: ExecutionEnvironment,
  files: readonly IndexFile[],
  { folder, signal }: ReadIndexOptions,
): Promise<IndexFile[]> {
  const regular = new Set<string>();
  for (const batch of toBatches(files, COMMAND_LINE_BYTES, ({ path }) => Buffer.byteLength(path))) {
    const pathspecs = batch.map(({ path }) => `:(top,literal)${path}`);
    const options = { folder, signal, isComplete: true, maxOutputChars: MAX_ANSWER_CHARS };
    const output = await runGit(environment, ["ls-files", "--stage", "--full-name", "-z", "--", ...pathspecs], options);
    for (const entry of (output ?? "").split("\0")) {
      const [, path] = /^100\d{3} [^\t]*\t(.*)$/s.exec(entry) ?? [];
      if (path !== undefined) regular.add(path);
    }
  }
  return files.filter(({ path }) => regular.has(path));
}

async function* readBatch(
  environment: ExecutionEnvironment,
  batch: readonly IndexFile[],
  { folder, maxBytes, signal }: ReadIndexOptions,
): AsyncGenerator<IndexFileText> {
  const [first] = batch;
  if (first === undefined) return;
  if (batch.length === 1) {
    const cut = { folder, signal, maxOutputChars: maxBytes + 4 };
    const text = await runGit(environment, ["cat-file", "blob", first.object], cut);
    if (text !== undefined) yield { path: first.path, text };
    return;
  }
  // Files are separated by a random marker. Reported sizes cannot be used, because decoding replaces invalid UTF-8.
  const mark = `${randomUUID()}\n`;
  const output = await runGit(environment, ["cat-file", `--batch=${mark.trim()}`], {
    stdin: batch.map(({ object }) => `${object}\n`).join(""),
    maxOutputChars: maxBytes + batch.length * (mark.length + 1),
    isComplete: true,
    folder,
    signal,
  });
  const [, ...texts] = (output ?? "").split(mark);
  if (texts.length !== batch.length) return;
  for (const [index, { path }] of batch.entries()) yield { path, text: texts[index]?.slice(0, -1) ?? "" };
}

/** Groups items in order. Each group stays within the size limit or contains a single item. */
function toBatches<T>(items: readonly T[], maxSize: number, sizeOf: (item: T) => number): T[][] {
  const batches: T[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    size += sizeOf(item);
    if (size > maxSize) {
      batches.push([]);
      size = sizeOf(item);
    }
    batches.at(-1)?.push(item);
  }
  return batches;
}
