import { constants, fdatasync, fdatasyncSync, write as writeFd, writeSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { type FlushMode, FlushPace } from "../../flush/flush-pace.ts";
import { SYSTEM_TIMER } from "../../owner/store-timer.ts";

/** Only the owner reads what a run leaves behind. */
const FILE_MODE = 0o600;
/** Only the owner enters the folders of a run. */
const FOLDER_MODE = 0o700;
/** Most that is handed to the system, or flushed, on this thread: it goes to memory, and a hop to another thread takes longer. */
const SYNC_BYTES = 64 * 1024;

/** A file that is being written. */
export interface StoreFile {
  /** Absolute path under which it was opened. */
  readonly path: string;
  /** Appends bytes; what was written outlives the process. */
  write(bytes: Uint8Array): Promise<void>;
  /** Makes what was written outlive the loss of power. */
  sync(): Promise<void>;
  /** Cuts the file off. */
  truncate(size: number): Promise<void>;
  /** Closes it. */
  close(): Promise<void>;
}

/**
 * Every operation of a file store that changes what is on the disk. Tests of faults hand in their own: one that
 * fails, ends the process, or forgets what was not synced.
 */
export interface StoreFiles {
  /** Makes one folder; its parent must exist and it must not. */
  makeFolder(path: string): Promise<void>;
  /** Opens a file for appending: `new` must not exist yet, `append` must. Symbolic links are not followed. */
  open(path: string, mode: "new" | "append"): Promise<StoreFile>;
  /** Renames a file or folder; what has the new name is replaced, unless it is a folder with content. */
  rename(from: string, to: string): Promise<void>;
  /** Makes the names in a folder outlive the loss of power. */
  syncFolder(path: string): Promise<void>;
  /** Removes a file or a symbolic link, never what it points to. */
  remove(path: string): Promise<void>;
  /** Removes a folder with all that is in it; links in it are not followed. */
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

// Without the promises of `FileHandle`, which take longer than many a disk.
function flush(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(fd, (error) => (error === null || error === undefined ? resolve() : reject(error)));
  });
}

function toStoreFile(handle: FileHandle, path: string, pace: FlushPace): StoreFile {
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
  // Windows cannot open a folder; its file systems journal the names by themselves.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The disk. All that is opened by one of these shares what it knows of how quick the disk is. */
export function createNodeFiles(mode: FlushMode, monotonic: () => number = SYSTEM_TIMER.monotonic): StoreFiles {
  const pace = new FlushPace({ mode, monotonic });
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

/** The disk, flushed where that is quickest. */
export const NODE_FILES: StoreFiles = createNodeFiles("adaptive");
