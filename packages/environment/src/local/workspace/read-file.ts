import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { ReadBytesOptions, ReadFileOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { LineIndex } from "./line-index.ts";
import type { LocalWorkspace } from "./pin-path.ts";
import { pinPath } from "./pin-path.ts";
import { readLines, tooLarge } from "./read-lines.ts";
import { assertRegularFile } from "./to-file-error.ts";

/** Number of bytes that git checks to detect a binary file. */
const BINARY_CHECK_BYTES = 8000;
// Files are opened non-blocking, because another program may have replaced a file by a pipe between check and open. On
// Linux, this cannot happen.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Maximum size of a read, and known line offsets of files. */
export interface ReadLimits {
  /** Maximum number of bytes returned by one call. */
  readonly maxBytes: number;
  /** Byte offsets of lines, stored by earlier reads. */
  readonly lines: LineIndex;
}

/** Opens a regular file in the workspace for reading. Pipes, sockets and devices are rejected without opening them. */
export async function openForReading(workspace: LocalWorkspace, path: string): Promise<FileHandle> {
  await using pinned = await pinPath(workspace, resolveWorkspacePath(workspace, path).absolute);
  assertRegularFile(await pinned.stat(), path);
  const file = await pinned.open(READ_FLAGS);
  try {
    assertRegularFile(await file.stat(), path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads a range of lines as text. BOM and line endings are preserved, and invalid UTF-8 becomes U+FFFD. */
export async function readTextFile(
  workspace: LocalWorkspace,
  path: string,
  options: ReadFileOptions & ReadLimits,
): Promise<string> {
  await using file = await openForReading(workspace, path);
  const stats = await file.stat({ bigint: true });
  const source = { path, size: Number(stats.size), marks: options.lines.marksOf(stats), maxBytes: options.maxBytes };
  await assertText(file, path);
  if (options.offset === undefined && options.limit === undefined && source.size > options.maxBytes)
    throw tooLarge(source);
  const bytes = await readLines(file, source, options);
  if (bytes.includes(0)) throw new EngineError("environment.binary_file", { path });
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Reads the bytes of a file, or of a range of the file. */
export async function readFileBytes(
  workspace: LocalWorkspace,
  path: string,
  options: ReadBytesOptions & ReadLimits,
): Promise<Uint8Array> {
  await using file = await openForReading(workspace, path);
  const { size } = await file.stat();
  const offset = Math.min(size, Math.max(0, Math.floor(options.offset ?? 0)));
  const length = Math.min(size - offset, Math.max(0, Math.floor(options.length ?? size)));
  if (length > options.maxBytes) throw tooLarge({ path, size, maxBytes: options.maxBytes });
  // The buffer is not taken from Node's shared pool, because it is returned to the caller.
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return new Uint8Array(bytes.buffer, bytes.byteOffset, filled);
}

async function assertText(file: FileHandle, path: string): Promise<void> {
  const start = Buffer.alloc(BINARY_CHECK_BYTES);
  const { bytesRead } = await file.read(start, 0, start.length, 0);
  if (start.subarray(0, bytesRead).includes(0)) throw new EngineError("environment.binary_file", { path });
}
