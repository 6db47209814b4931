import { constants, fdatasync, fdatasyncSync, write as writeFd, writeSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { type FlushMode, FlushScheduler } from "../../flush/flush-scheduler.ts";
import { syncFolder } from "../../flush/sync-folder.ts";
import { SYSTEM_TIMER } from "../../owner/store-timer.ts";

/** Mode of files: only the owner can read them. */
const FILE_MODE = 0o600;
/** Mode of folders: only the owner can enter them. */
const FOLDER_MODE = 0o700;
/**
 * Maximum number of bytes that are written or flushed synchronously on this thread. For small writes, switching to
 * another thread would take longer than the write.
 */
const SYNC_BYTES = 64 * 1024;

/** A file opened for writing. */
export interface StoreFile {
  /** Absolute path that was passed to `open`. */
  readonly path: string;
  /** Appends bytes. They survive the end of this process, but not a power failure before `flush`. */
  write(bytes: Uint8Array): Promise<void>;
  /** Flushes written bytes, so that they survive a power failure. */
  sync(): Promise<void>;
  /** Truncates the file. */
  truncate(size: number): Promise<void>;
  /** Closes the file. */
  close(): Promise<void>;
}

/**
 * All operations of a file store that change the disk. Fault tests replace them to simulate failures, the end of the
 * process, or the loss of unflushed data.
 */
export interface StoreFiles {
  /** Creates a folder. Fails if the parent folder does not exist, or the folder already exists. */
  makeFolder(path: string): Promise<void>;
  /**
   * Opens a file for appending. With `new`, the file must not exist; with `append`, it must exist. Symbolic links are
   * not followed.
   */
  open(path: string, mode: "new" | "append"): Promise<StoreFile>;
  /** Renames a file or folder and replaces the target, unless it is a non-empty folder. */
  rename(from: string, to: string): Promise<void>;
  /** Flushes a folder's list of names, so that created, renamed and removed names survive a power failure. */
  syncFolder(path: string): Promise<void>;
  /** Removes a file or a symbolic link, never the link's target. */
  remove(path: string): Promise<void>;
  /** Removes a folder with its content. Links in the folder are removed, but not their targets. */
  removeTree(path: string): Promise<void>;
}

const FLAGS = {
  new: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
  append: constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0),
} as const;

function writeOnce(fd: number, bytes: Uint8Array): Promise<number> | number {
  if (bytes.length <= SYNC_BYTES) return writeSync(fd, bytes);
  return new Promise((resolve, reject) => {
    writeFd(fd, bytes, (error, written) => (error === null ? resolve(written) : reject(error)));
  });
}

// The callback API is used: the promise API costs more time than many disks need for the operation.
function flush(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(fd, (error) => (error === null || error === undefined ? resolve() : reject(error)));
  });
}

function toStoreFile(handle: FileHandle, path: string, pace: FlushScheduler): StoreFile {
  let unflushed = 0;
  const file: StoreFile = {
    path,
    write: async (bytes) => {
      unflushed += bytes.length;
      for (let done = 0; done < bytes.length; ) {
        const written = writeOnce(handle.fd, bytes.subarray(done));
        done += typeof written === "number" ? written : await written;
      }
    },
    sync: async () => {
      const isSmall = unflushed <= SYNC_BYTES;
      unflushed = 0;
      if (isSmall && pace.mayBlock(file)) pace.block(file, () => fdatasyncSync(handle.fd));
      else await pace.wait(() => flush(handle.fd));
    },
    truncate: (size) => handle.truncate(size),
    close: () => handle.close(),
  };
  return file;
}

/**
 * Creates an object that executes operations on the real disk. All files opened through one such object share
 * measurements of the disk's speed.
 */
export function createNodeFiles(mode: FlushMode, monotonic: () => number = SYSTEM_TIMER.monotonic): StoreFiles {
  const pace = new FlushScheduler({ mode, monotonic });
  return {
    makeFolder: async (path) => {
      await mkdir(path, { mode: FOLDER_MODE });
    },
    open: async (path, flags) => toStoreFile(await open(path, FLAGS[flags], FILE_MODE), path, pace),
    rename,
    syncFolder,
    remove: unlink,
    removeTree: (path) => rm(path, { recursive: true, force: true }),
  };
}

/** Operations on the real disk. Flushes run on this thread while the disk is fast, otherwise on another thread. */
export const NODE_FILES: StoreFiles = createNodeFiles("adaptive");
