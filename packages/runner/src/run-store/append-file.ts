import { type FileHandle, open } from "node:fs/promises";
import { FILE_MODE } from "./durable-file.ts";
import { toStoreFailure } from "./store-failure.ts";

/** A file that only grows, by whole texts. */
export interface AppendFile {
  /** Absolute path. */
  readonly path: string;
  /** Bytes of everything that was appended whole. */
  readonly size: number;
  /**
   * Appends a text whole. Contract: one call at a time; after a failure the file is as before, as far as the disk
   * allows. Throws `run.store_failed`.
   */
  append(text: string): Promise<void>;
  /** Makes what was appended survive a power failure. */
  sync(): Promise<void>;
  /** Closes the file. */
  close(): Promise<void>;
}

/** Makes a new file to append to; it must not exist yet. Throws `run.store_failed`. */
export async function createAppendFile(path: string): Promise<AppendFile> {
  const file = await open(path, "ax", FILE_MODE).catch((error: unknown) => {
    throw toStoreFailure(error, path);
  });
  let size = 0;
  return {
    path,
    get size() {
      return size;
    },
    append: async (text) => {
      size += await appendWhole(file, Buffer.from(text), { path, size });
    },
    sync: () => file.datasync(),
    close: () => file.close(),
  };
}

async function appendWhole(file: FileHandle, bytes: Buffer, target: { path: string; size: number }): Promise<number> {
  try {
    for (let written = 0; written < bytes.length; ) {
      written += (await file.write(bytes, written)).bytesWritten;
    }
    return bytes.length;
  } catch (error) {
    // Half a line would be joined with the next one; without it the file is as it was.
    await file.truncate(target.size).catch(() => undefined);
    throw toStoreFailure(error, target.path);
  }
}
