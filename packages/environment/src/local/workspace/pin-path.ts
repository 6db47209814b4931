import type { Stats } from "node:fs";
import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isBelow } from "../../path/workspace-path.ts";
import type { WorkspaceRoot } from "../../path/workspace-root.ts";
import { OUTSIDE, systemError } from "./to-file-error.ts";

/** Linux: a descriptor that names a place and does nothing to it. Node has no constant for it. */
const O_PATH = 0o10000000;

/**
 * How a path is kept from changing its meaning between check and use. `descriptor` (Linux): every access goes through
 * a descriptor whose place the kernel was asked for after it was opened. `realpath`: the path is resolved and checked
 * before and after; a link swapped at exactly the right moments, twice, is not seen.
 */
export type Confinement = "descriptor" | "realpath";

/** What is not to be touched inside of a workspace. All paths are absolute and real. */
export interface WorkspaceGuard {
  /** Whether a path, existing or not, must not be changed: it is protected, or a folder that leads to what is. */
  isGuarded(path: string): boolean;
  /** Whether a path must not be read. */
  isHidden(path: string): boolean;
  /** Whether what is at a path is none of the user's, and only there for a while. */
  isAbsent(path: string): boolean;
}

/** A workspace on this machine. */
export interface LocalWorkspace extends WorkspaceRoot {
  /** How its paths are confined. */
  readonly confinement: Confinement;
  /** What is not to be touched; everything may be by default. */
  readonly guard?: WorkspaceGuard | undefined;
}

/** The best confinement that this platform has. */
export function availableConfinement(): Confinement {
  return process.platform === "linux" && existsSync("/proc/self/fd") ? "descriptor" : "realpath";
}

/** A place inside the workspace that was opened and then found to be inside. Contract: the holder disposes of it. */
export interface PinnedPath extends AsyncDisposable {
  /** Its real path at the time of the check. */
  readonly real: string;
  /** Path for system calls that leads to this place whatever happens to its names; with `name`, to that entry in it. */
  access(name?: string): string;
  /** What it is. */
  stat(): Promise<Stats>;
  /** Opens it with flags of `node:fs`. */
  open(flags: number): Promise<FileHandle>;
}

/** How a path is pinned. */
export interface PinOptions {
  /** Fails with ENOTDIR on anything but a folder. */
  directory?: boolean | undefined;
  /** Fails on a link instead of following it. */
  noFollow?: boolean | undefined;
}

/**
 * Opens a place and verifies that it is inside. `path` is an absolute path or one that `access` gave. Links are
 * followed; where they lead out, the error has the code EOUTSIDE. Errors are those of the system: `toFileError`
 * makes them those of the table.
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

/** Pins a place as `pinPath` does, without waiting where the platform has descriptors: a search begins with it. */
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

/** A regular file that is read at once. Contract: the holder closes the descriptor. */
interface OpenedFile {
  readonly descriptor: number;
  readonly size: number;
}

/**
 * Opens a regular file as `pinPath` does, without waiting: for many small files in a row. Nothing where it is none, or
 * where the platform has no descriptors to do it with.
 */
export function openFileNow(workspace: LocalWorkspace, path: string): OpenedFile | undefined {
  if (workspace.confinement === "realpath") return undefined;
  const place = openSync(path, O_PATH);
  try {
    const self = `/proc/self/fd/${place}`;
    assertInside(workspace, readlinkSync(self));
    const stats = fstatSync(place);
    return stats.isFile() ? { descriptor: openSync(self, constants.O_RDONLY), size: stats.size } : undefined;
  } finally {
    closeSync(place);
  }
}

/** A folder that is looked into without waiting. Contract: the holder closes it. */
export interface OpenedFolder {
  /** Its descriptor, where the platform has such. */
  readonly descriptor?: number | undefined;
  /** Path for system calls to an entry of it. */
  access(name: string): string;
  close(): void;
}

/** Pins a folder as `pinPath` does, without waiting: for thousands of folders in a row. */
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

/** Opens a folder by its name in one that was opened, which costs less: what is in that is inside, unless it is a link. */
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

/** A descriptor and what is done with it. */
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

/** Refuses to change an entry of a pinned folder that is guarded. */
export function assertChangeable({ guard }: LocalWorkspace, parent: PinnedPath, name: string): void {
  const path = join(parent.real, name);
  if (guard?.isGuarded(path) === true) throw systemError("EACCES", path);
}
