import { constants, fdatasync, fdatasyncSync, write as writeFd, writeSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { type FlushMode, FlushScheduler } from "../../flush/flush-scheduler.ts";
import { SYSTEM_TIMER } from "../../owner/store-timer.ts";

/** Mode of files: only the owner can read them. */
const FILE_MODE = 0o600;
/** Mode of folders: only the owner can enter them. */
const FOLDER_MODE = 0o700;
/**
 * Maximum size that is written or flushed on this thread, in bytes: writing to memory takes less time than switching
 * threads.
 */
const SYNC_BYTES = 64 * 1024;

/** A file opened for writing. */
export interface StoreFile {
  /** Absolute path that it was opened with. */
  readonly path: string;
  /** Appends bytes; they survive the process. */
  write(bytes: Uint8Array): Promise<void>;
  /** Flushes written bytes, so that they survive a power failure. */
  sync(): Promise<void>;
  /** Truncates the file. */
  truncate(size: number): Promise<void>;
  /** Closes the file. */
  close(): Promise<void>;
}

/**
 * All operations of a file store that change the disk. Fault tests replace them, to fail, end the process, or lose
 * unflushed data.
 */
export interface StoreFiles {
  /** Creates a folder. Its parent must exist, and the folder must not. */
  makeFolder(path: string): Promise<void>;
  /**
   * Opens a file for appending: with `new` it must not exist, with `append` it must. Symbolic links are not followed.
   */
  open(path: string, mode: "new" | "append"): Promise<StoreFile>;
  /** Renames a file or folder and replaces the target, unless it is a non-empty folder. */
  rename(from: string, to: string): Promise<void>;
  /** Flushes the names in a folder, so that they survive a power failure. */
  syncFolder(path: string): Promise<void>;
  /** Removes a file or a symbolic link, never the link's target. */
  remove(path: string): Promise<void>;
  /** Removes a folder with its content; links in it are not followed. */
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

// The callback API, because promises of `FileHandle` take longer than many disks.
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

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; its file systems journal names.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Creates the operations on the real disk. Files opened through one instance share measurements of the disk's speed.
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

/** The real disk, flushed on the faster thread. */
export const NODE_FILES: StoreFiles = createNodeFiles("adaptive");
