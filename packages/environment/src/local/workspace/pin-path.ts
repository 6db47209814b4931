import type { Stats } from "node:fs";
import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isBelow } from "../../path/workspace-path.ts";
import type { WorkspaceRoot } from "../../path/workspace-root.ts";
import { OUTSIDE, systemError } from "./to-file-error.ts";

/**
 * Flag that opens a file descriptor which only identifies a location, without access to content. Linux only. Node has
 * no constant for this flag.
 */
const O_PATH = 0o10000000;

/**
 * Method that prevents a path from referring to another file between check and use. `descriptor` (Linux): a path is
 * opened first. The kernel then reports the real location of the file descriptor, which is checked. All accesses use
 * this descriptor. `realpath`: the path is resolved and checked before and after opening; a link that is swapped twice
 * at the right moments is not detected.
 */
export type Confinement = "descriptor" | "realpath";

/** Determines which paths inside a workspace must not be read or changed. All paths are absolute and real. */
export interface WorkspaceGuard {
  /**
   * Returns whether a path must not be changed because it is protected, or because it is the parent of a protected
   * path. The path need not exist.
   */
  isGuarded(path: string): boolean;
  /** Returns whether a path must not be read. */
  isHidden(path: string): boolean;
  /**
   * Returns whether a path is a temporary placeholder (an empty folder used as a mount point), which must appear to be
   * missing.
   */
  isAbsent(path: string): boolean;
}

/** A local workspace. */
export interface LocalWorkspace extends WorkspaceRoot {
  /** Method that prevents paths from leaving the workspace between check and use. */
  readonly confinement: Confinement;
  /** Determines which paths inside the workspace must not be read or changed. Default: no restrictions. */
  readonly guard?: WorkspaceGuard | undefined;
}

/** Result of `availableConfinement`, which stays the same while the process runs. `undefined`: not determined yet. */
let available: Confinement | undefined;

/** Returns the safest method that this platform supports for confining paths to the workspace. */
export function availableConfinement(): Confinement {
  available ??= process.platform === "linux" && existsSync("/proc/self/fd") ? "descriptor" : "realpath";
  return available;
}

/** A path that was opened and then verified to be inside the workspace. Contract: the owner disposes of it. */
export interface PinnedPath extends AsyncDisposable {
  /** Real path of the location when it was opened and verified. */
  readonly real: string;
  /**
   * Returns a path, to be passed to system calls, that refers to this location even if it is renamed. With `name`, the
   * path refers to the entry of that name in this folder.
   */
  access(name?: string): string;
  /** Stats the location. */
  stat(): Promise<Stats>;
  /** Opens the file or folder at this location, with flags of `node:fs`. */
  open(flags: number): Promise<FileHandle>;
}

/** Options for opening a path and verifying that it is inside the workspace. */
export interface PinOptions {
  /** If true, fails with ENOTDIR unless the path is a folder. */
  directory?: boolean | undefined;
  /** If true, fails on a link instead of following it. */
  noFollow?: boolean | undefined;
}

/**
 * Opens a path and verifies that it is inside the workspace. `path` is absolute or was returned by `access`. Links are
 * followed. A link that leads out of the workspace fails with the code EOUTSIDE. Errors are system errors, which
 * `toFileError` converts to `EngineError`.
 */
export function pinPath(
  workspace: LocalWorkspace,
  path: string | Buffer,
  options: PinOptions = {},
): Promise<PinnedPath> {
  return workspace.confinement === "descriptor"
    ? pinByDescriptor(workspace, path, options)
    : pinByRealpath(workspace, path, options);
}

/**
 * Opens a path like `pinPath`, but synchronously if the workspace is confined by file descriptors (see `Confinement`).
 * Used at the start of a search.
 */
export async function pinPathNow(
  workspace: LocalWorkspace,
  path: string,
  options: PinOptions = {},
): Promise<PinnedPath> {
  if (workspace.confinement === "realpath") return pinByRealpath(workspace, path, options);
  const fd = openSync(path, pinFlags(options));
  try {
    return toPinned(workspace, { fd, stat: async () => fstatSync(fd), close: async () => closeSync(fd) });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** A regular file that is read synchronously. Contract: the owner closes the descriptor. */
interface OpenedFile {
  readonly descriptor: number;
  readonly size: number;
}

/**
 * Opens a regular file like `pinPath`, but synchronously, which is faster for many small files. Returns `undefined` if
 * the path is not a regular file, or if the workspace is not confined by file descriptors (see `Confinement`).
 */
export function openFileNow(workspace: LocalWorkspace, path: string): OpenedFile | undefined {
  if (workspace.confinement === "realpath") return undefined;
  const descriptor = openSync(path, O_PATH);
  try {
    const self = `/proc/self/fd/${descriptor}`;
    assertInside(workspace, readlinkSync(self));
    const stats = fstatSync(descriptor);
    return stats.isFile() ? { descriptor: openSync(self, constants.O_RDONLY), size: stats.size } : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** A folder that is accessed synchronously. Contract: the owner closes it. */
export interface OpenedFolder {
  /**
   * File descriptor of the folder. `undefined` if the workspace is not confined by file descriptors (see
   * `Confinement`).
   */
  readonly descriptor?: number | undefined;
  /** Returns a path, to be passed to system calls, that refers to an entry of this folder. */
  access(name: string): string;
  close(): void;
}

/** Opens a folder like `pinPath`, but synchronously, which is faster for thousands of folders in a row. */
export function openFolderNow(workspace: LocalWorkspace, path: string): OpenedFolder {
  if (workspace.confinement === "realpath") {
    const real = realpathSync(path);
    assertInside(workspace, real);
    return { access: (name) => join(real, name), close: () => {} };
  }
  const descriptor = openSync(path, O_PATH | constants.O_DIRECTORY);
  const self = `/proc/self/fd/${descriptor}`;
  try {
    assertInside(workspace, readlinkSync(self));
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return { descriptor, access: (name) => `${self}/${name}`, close: () => closeSync(descriptor) };
}

/**
 * Opens a subfolder of an opened folder by name. No full check is needed, because an entry of an opened folder is
 * inside the workspace unless it is a link, and links are rejected.
 */
export function openInnerFolderNow(workspace: LocalWorkspace, outer: OpenedFolder, name: string): OpenedFolder {
  if (workspace.confinement === "realpath") return openFolderNow(workspace, outer.access(name));
  const descriptor = openSync(outer.access(name), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const self = `/proc/self/fd/${descriptor}`;
  return { descriptor, access: (inner) => `${self}/${inner}`, close: () => closeSync(descriptor) };
}

async function pinByDescriptor(
  workspace: LocalWorkspace,
  path: string | Buffer,
  options: PinOptions,
): Promise<PinnedPath> {
  const handle = await open(path, pinFlags(options));
  try {
    const { fd } = handle;
    return toPinned(workspace, { fd, stat: () => handle.stat(), close: () => handle.close() });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function pinFlags({ directory, noFollow }: PinOptions): number {
  return O_PATH | (directory === true ? constants.O_DIRECTORY : 0) | (noFollow === true ? constants.O_NOFOLLOW : 0);
}

/** A file descriptor and its operations. */
interface Descriptor {
  readonly fd: number;
  stat(): Promise<Stats>;
  close(): Promise<void>;
}

function toPinned(workspace: LocalWorkspace, descriptor: Descriptor): PinnedPath {
  const self = `/proc/self/fd/${descriptor.fd}`;
  const real = readlinkSync(self);
  assertInside(workspace, real);
  return {
    real,
    access: (name) => (name === undefined ? self : `${self}/${name}`),
    stat: descriptor.stat,
    open: (openFlags) => open(self, openFlags),
    [Symbol.asyncDispose]: descriptor.close,
  };
}

async function pinByRealpath(
  workspace: LocalWorkspace,
  path: string | Buffer,
  options: PinOptions,
): Promise<PinnedPath> {
  const real = await realpath(path);
  assertInside(workspace, real);
  if (options.noFollow === true && real !== String(path)) throw systemError("ELOOP", real);
  const found = await stat(real);
  if (options.directory === true && !found.isDirectory()) throw systemError("ENOTDIR", real);
  return {
    real,
    access: (name) => (name === undefined ? real : join(real, name)),
    stat: () => stat(real),
    open: async (flags) => {
      const handle = await open(real, flags | (constants.O_NOFOLLOW ?? 0));
      const opened = await handle.stat();
      if ((await realpath(real)) === real && opened.ino === found.ino && opened.dev === found.dev) return handle;
      await handle.close();
      throw systemError(OUTSIDE, real);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function assertInside(workspace: LocalWorkspace, real: string): void {
  if (!isBelow(workspace, real)) throw systemError(OUTSIDE, real);
  if (workspace.guard?.isAbsent(real) === true) throw systemError("ENOENT", real);
  if (workspace.guard?.isHidden(real) === true) throw systemError("EACCES", real);
}

/** Throws if an entry of an opened folder must not be changed. */
export function assertChangeable({ guard }: LocalWorkspace, parent: PinnedPath, name: string): void {
  const path = join(parent.real, name);
  if (guard?.isGuarded(path) === true) throw systemError("EACCES", path);
}
