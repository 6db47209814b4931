import type { StoreFile, StoreFiles } from "./store-files.ts";

/** A disk operation of a file store, as reported to an observer. */
export interface FileOperation {
  /** Name of the operation. */
  readonly name: keyof StoreFiles | Exclude<keyof StoreFile, "path">;
  /** Absolute path of the file or folder that the operation changes. */
  readonly path: string;
}

/**
 * Wraps disk operations and calls an observer before each operation. If the observer throws or rejects, the operation
 * fails with that error. Used by fault tests, which count operations, let one fail, or end the process before one.
 */
export function observeFiles(
  files: StoreFiles,
  observe: (operation: FileOperation) => void | Promise<void>,
): StoreFiles {
  async function observed<T>(operation: FileOperation, act: () => Promise<T>): Promise<T> {
    await observe(operation);
    return await act();
  }
  function observedFile(file: StoreFile): StoreFile {
    const { path } = file;
    return {
      path,
      write: (bytes) => observed({ name: "write", path }, () => file.write(bytes)),
      sync: () => observed({ name: "sync", path }, () => file.sync()),
      truncate: (size) => observed({ name: "truncate", path }, () => file.truncate(size)),
      close: () => observed({ name: "close", path }, () => file.close()),
    };
  }
  return {
    makeFolder: (path) => observed({ name: "makeFolder", path }, () => files.makeFolder(path)),
    open: (path, mode) => observed({ name: "open", path }, async () => observedFile(await files.open(path, mode))),
    rename: (from, to) => observed({ name: "rename", path: to }, () => files.rename(from, to)),
    syncFolder: (path) => observed({ name: "syncFolder", path }, () => files.syncFolder(path)),
    remove: (path) => observed({ name: "remove", path }, () => files.remove(path)),
    removeTree: (path) => observed({ name: "removeTree", path }, () => files.removeTree(path)),
  };
}
