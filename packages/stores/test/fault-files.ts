import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type FileOperation, NODE_FILES, observeFiles, type StoreFile, type StoreFiles } from "../src/file/index.ts";

/** An error in the form in which the system reports it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}

/** Files whose operations fail at points that a test selects. */
export interface FaultFiles extends StoreFiles {
  /** The operations so far, as `name basename`. */
  readonly operations: FileOperation[];
  /** Called for each operation. An error that it returns is thrown. */
  fail: ((operation: FileOperation) => Error | undefined) | undefined;
}

/** Files on the disk that fail on demand. */
export function faultFiles(base: StoreFiles = NODE_FILES): FaultFiles {
  const operations: FileOperation[] = [];
  const faults: FaultFiles = {
    ...observeFiles(base, (operation) => {
      operations.push(operation);
      const error = faults.fail?.(operation);
      if (error !== undefined) throw error;
    }),
    operations,
    fail: undefined,
  };
  return faults;
}

/**
 * Files that fail from an operation on, as if the process were killed there: nothing more reaches the disk. Of the
 * write at that moment, half reaches the disk.
 */
export function filesUntil(count: number, base: StoreFiles): { files: StoreFiles; done(): number } {
  let done = 0;
  const tearing: StoreFiles = {
    ...base,
    open: async (path, mode) => {
      const file = await base.open(path, mode);
      const write = async (bytes: Uint8Array): Promise<void> => {
        const isLast = done > count;
        await file.write(isLast ? bytes.subarray(0, bytes.length / 2) : bytes);
        if (isLast) throw new Error("the process was killed");
      };
      return { ...file, write };
    },
  };
  const files = observeFiles(tearing, ({ name }) => {
    // A process that ends closes its files.
    if (name === "close") return;
    const isDead = done > count || (done === count && name !== "write");
    if (isDead) throw new Error("the process was killed");
    done += 1;
  });
  return { files, done: () => done };
}

/** The disk, and the content that would remain after a power failure at this moment. */
export interface VolatileFiles extends StoreFiles {
  /** Writes the remaining content to another folder. */
  restore(root: string, target: string): Promise<void>;
}

async function inodeOf(path: string): Promise<number> {
  return (await stat(path)).ino;
}

/**
 * Files on a disk with a cache that loses everything that was not synced: contents by a sync of the file, names by a
 * sync of their folder.
 */
export function volatileFiles(): VolatileFiles {
  const contents = new Map<number, Buffer>();
  const names = new Map<number, Map<string, number>>();

  function storeContent(file: StoreFile, inode: number): StoreFile {
    return {
      ...file,
      sync: async () => {
        await file.sync();
        // The file may have been renamed since. Its content is identified by its number.
        contents.set(inode, await readFile(paths.get(inode) ?? file.path));
      },
    };
  }
  const paths = new Map<number, string>();
  async function writeOut(inode: number, target: string): Promise<void> {
    const folder = names.get(inode);
    if (folder === undefined) {
      await writeFile(target, contents.get(inode) ?? "");
      return;
    }
    await mkdir(target, { recursive: true });
    for (const [name, child] of folder) await writeOut(child, join(target, name));
  }
  return {
    ...NODE_FILES,
    makeFolder: async (path) => {
      await NODE_FILES.makeFolder(path);
      names.set(await inodeOf(path), new Map());
    },
    open: async (path, mode) => {
      const file = await NODE_FILES.open(path, mode);
      const inode = await inodeOf(path);
      if (mode === "new") contents.set(inode, Buffer.alloc(0));
      paths.set(inode, path);
      return storeContent(file, inode);
    },
    rename: async (from, to) => {
      await NODE_FILES.rename(from, to);
      const isFolder = (await stat(to)).isDirectory();
      if (!isFolder) paths.set(await inodeOf(to), to);
      // Open files in a folder move with the folder.
      else
        for (const [inode, path] of paths)
          if (path.startsWith(`${from}/`)) paths.set(inode, to + path.slice(from.length));
    },
    syncFolder: async (path) => {
      await NODE_FILES.syncFolder(path);
      const entries = await readdir(path);
      const children = await Promise.all(entries.map(async (name) => [name, await inodeOf(join(path, name))] as const));
      names.set(await inodeOf(path), new Map(children));
    },
    restore: async (root, target) => {
      await mkdir(dirname(target), { recursive: true });
      const inode = await inodeOf(root);
      if (!names.has(inode)) names.set(inode, new Map());
      await writeOut(inode, target);
    },
  };
}
