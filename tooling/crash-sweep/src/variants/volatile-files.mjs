// @ts-check
import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** @import { StoreFile, StoreFiles } from "@switchyard/stores/file" */

/**
 * A change that is not yet durable, and how to revert it.
 * @typedef {{ folder: string, path: string, from?: string, undo: (change: Change) => void }} Change
 */

/** Bytes of a file that are not yet durable. @typedef {{ path: string, size: number, durable: number }} Tail */

/**
 * Files on a disk with a volatile cache. `losePower` leaves what such a disk would contain: flushed bytes of each file
 * and flushed names of each folder. `share` returns the fraction of the rest that had reached the disk, from 0 to below
 * 1.
 * @typedef {StoreFiles & { losePower: (share: () => number) => void }} VolatileFiles
 */

/**
 * Wraps files. Changes reach the disk immediately, so that readers see them, and are reverted on power loss.
 * @param {StoreFiles} disk
 * @returns {VolatileFiles}
 */
export function volatileFiles(disk) {
  const cache = new Cache();
  return {
    makeFolder: async (path) => {
      await disk.makeFolder(path);
      cache.push({ path, undo: (change) => rmSync(change.path, { recursive: true, force: true }) });
    },
    open: async (path, mode) => {
      const file = await disk.open(path, mode);
      if (mode === "new") cache.push({ path, undo: (change) => rmSync(change.path, { force: true }) });
      return volatileFile(file, cache.tailOf(path, mode === "new" ? 0 : readFileSync(path).length));
    },
    rename: async (from, to) => {
      const replaced = cache.durableContentOf(to);
      await disk.rename(from, to);
      cache.rename(from, to, replaced);
    },
    syncFolder: async (path) => {
      await disk.syncFolder(path);
      cache.flushFolder(path);
    },
    remove: async (path) => {
      const content = cache.durableContentOf(path);
      await disk.remove(path);
      cache.forget(path);
      cache.push({ path, undo: (change) => restore(change.path, content) });
    },
    // A removed tree is never read again, so the time of its removal does not matter.
    removeTree: async (path) => {
      await disk.removeTree(path);
      cache.forget(path);
    },
    losePower: (share) => cache.losePower(share),
  };
}

/**
 * @param {StoreFile} file
 * @param {Tail} tail
 * @returns {StoreFile}
 */
function volatileFile(file, tail) {
  return {
    path: file.path,
    write: async (bytes) => {
      await file.write(bytes);
      tail.size += bytes.length;
    },
    sync: async () => {
      const { size } = tail;
      await file.sync();
      tail.durable = Math.max(tail.durable, size);
    },
    truncate: async (size) => {
      await file.truncate(size);
      tail.size = size;
      tail.durable = Math.min(tail.durable, size);
    },
    close: () => file.close(),
  };
}

class Cache {
  /** @type {Change[]} */
  #changes = [];
  /** @type {Tail[]} */
  #tails = [];

  /** @param {Omit<Change, "folder">} change */
  push(change) {
    this.#changes.push({ folder: dirname(change.path), ...change });
  }

  /**
   * @param {string} path
   * @param {number} size
   * @returns {Tail}
   */
  tailOf(path, size) {
    const tail = this.#tails.find((known) => known.path === path) ?? { path, size, durable: size };
    if (!this.#tails.includes(tail)) this.#tails.push(tail);
    return tail;
  }

  /**
   * Returns what a power loss would leave of a file. `undefined` if it does not exist or is not a file.
   * @param {string} path
   * @returns {Buffer | undefined}
   */
  durableContentOf(path) {
    const tail = this.#tails.find((known) => known.path === path);
    try {
      const content = readFileSync(path);
      return tail === undefined ? content : content.subarray(0, tail.durable);
    } catch {
      return undefined;
    }
  }

  /** @param {string} path */
  forget(path) {
    this.#tails = this.#tails.filter((tail) => tail.path !== path && !tail.path.startsWith(`${path}/`));
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {Buffer | undefined} replaced
   */
  rename(from, to, replaced) {
    this.forget(to);
    this.#move(from, to);
    this.push({
      path: to,
      from,
      undo: (change) => {
        renameSync(change.path, from);
        this.#move(change.path, from);
        restore(change.path, replaced);
      },
    });
  }

  /** @param {string} folder */
  flushFolder(folder) {
    const flushed = this.#changes.filter((change) => change.folder === folder);
    // A durable entry stays durable under any name.
    const safe = new Set(flushed.map(({ path }) => path));
    this.#changes = this.#changes.filter((change) => !flushed.includes(change) && !safe.has(change.path));
  }

  /** @param {() => number} share */
  losePower(share) {
    for (const { path, size, durable } of this.#tails) {
      if (size > durable) truncateSync(path, durable + Math.floor((size - durable) * share()));
    }
    const kept = Math.floor((this.#changes.length + 1) * share());
    while (this.#changes.length > kept) {
      const change = this.#changes.pop();
      change?.undo(change);
    }
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  #move(from, to) {
    for (const item of [...this.#tails, ...this.#changes]) {
      if (item.path === from || item.path.startsWith(`${from}/`)) item.path = join(to, item.path.slice(from.length));
    }
    for (const change of this.#changes) {
      if (change.folder === from || change.folder.startsWith(`${from}/`)) {
        change.folder = join(to, change.folder.slice(from.length));
      }
    }
  }
}

/**
 * @param {string} path
 * @param {Buffer | undefined} content
 */
function restore(path, content) {
  if (content !== undefined) writeFileSync(path, content, { mode: 0o600 });
}
