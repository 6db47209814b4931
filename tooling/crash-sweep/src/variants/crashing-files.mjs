// @ts-check
import { basename } from "node:path";

/** @import { StoreFile, StoreFiles } from "@switchyard/stores/file" */
/** @import { CrashPoints } from "../worker/crash-points.mjs" */

/**
 * Wraps files with a boundary before and after each operation, and one in the middle of each write.
 * @param {StoreFiles} files
 * @param {CrashPoints} points
 * @returns {StoreFiles}
 */
export function crashingFiles(files, points) {
  return {
    makeFolder: (path) => points.around(`file makeFolder ${nameOf(path)}`, () => files.makeFolder(path)),
    open: async (path, mode) => {
      const file = await points.around(`file open ${nameOf(path)}`, () => files.open(path, mode));
      return crashingFile(file, points);
    },
    rename: (from, to) => points.around(`file rename ${nameOf(to)}`, () => files.rename(from, to)),
    syncFolder: (path) => points.around(`file syncFolder ${nameOf(path)}`, () => files.syncFolder(path)),
    remove: (path) => points.around(`file remove ${nameOf(path)}`, () => files.remove(path)),
    removeTree: (path) => points.around(`file removeTree ${nameOf(path)}`, () => files.removeTree(path)),
  };
}

/**
 * @param {StoreFile} file
 * @param {CrashPoints} points
 * @returns {StoreFile}
 */
function crashingFile(file, points) {
  const name = nameOf(file.path);
  return {
    path: file.path,
    write: (bytes) => {
      return points.around(`file write ${name}`, async () => {
        if (!points.isNext()) {
          points.pass(`within file write ${name}`);
          return file.write(bytes);
        }
        const half = Math.floor(bytes.length / 2);
        await file.write(bytes.subarray(0, half));
        points.pass(`within file write ${name}`);
        return file.write(bytes.subarray(half));
      });
    },
    sync: () => points.around(`file sync ${name}`, () => file.sync()),
    truncate: (size) => points.around(`file truncate ${name}`, () => file.truncate(size)),
    close: () => points.around(`file close ${name}`, () => file.close()),
  };
}

/**
 * Returns the last part of a path, without parts that differ between runs.
 * @param {string} path
 * @returns {string}
 */
function nameOf(path) {
  return basename(path).replace(/^(\.(?:lease-\d+|new|removed)|crash-sweep-).*?(\.taking)?$/, "$1$2");
}
