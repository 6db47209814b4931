import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname, posix } from "node:path";

/** Keys that identify a folder and its parents. They are the same for every spelling of the folder's path. */
export interface FolderKeys {
  /**
   * Keys that identify the folder itself: one contains its inode number, the other (Linux only) its path within the
   * file system.
   */
  readonly folders: readonly string[];
  /** Keys of the folder's parents. */
  readonly above: readonly string[];
}

/** A mount: the folder of a file system (device) that is visible at a path. */
interface Mount {
  readonly device: string;
  readonly root: string;
  readonly point: string;
}

/**
 * Finds the keys that identify a folder, given its real path. One key contains the inode, which is the same for every
 * spelling of the path on case-insensitive file systems. The other (Linux only) contains the path within the file
 * system, which is the same through bind mounts.
 */
export async function findFolderKeys(path: string): Promise<FolderKeys> {
  const mounts = await readMounts();
  const folders = new Set<string>();
  const above = new Set<string>();
  await addNames(folders, path, mounts);
  for (let folder = path; dirname(folder) !== folder; ) {
    folder = dirname(folder);
    await addNames(above, folder, mounts);
  }
  // If the folder is in a bind mount, it has two sets of parents: those in its path, and those in the mounted file
  // system. The keys of both are added.
  const inside = pathInFileSystem(path, mounts);
  for (let folder = inside?.path ?? "/"; inside !== undefined && folder !== "/"; ) {
    folder = posix.dirname(folder);
    above.add(toKey(`${inside.device}:${folder}`));
  }
  return { folders: [...folders], above: [...above].filter((key) => !folders.has(key)) };
}

async function addNames(keys: Set<string>, path: string, mounts: readonly Mount[]): Promise<void> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  if (found !== undefined) keys.add(toKey(`inode ${found.dev} ${found.ino}`));
  const inside = pathInFileSystem(path, mounts);
  if (inside !== undefined) keys.add(toKey(`${inside.device}:${inside.path}`));
}

function pathInFileSystem(path: string, mounts: readonly Mount[]): { device: string; path: string } | undefined {
  let best: Mount | undefined;
  for (const mount of mounts) {
    const isAbove = path === mount.point || path.startsWith(mount.point === "/" ? "/" : `${mount.point}/`);
    // If two mounts have the same path, the later one covers the earlier one.
    if (isAbove && mount.point.length >= (best?.point.length ?? 0)) best = mount;
  }
  if (best === undefined) return undefined;
  return { device: best.device, path: posix.join(best.root, path.slice(best.point === "/" ? 0 : best.point.length)) };
}

/** Returns the mounts of this process. Empty on systems that do not list them. */
async function readMounts(): Promise<readonly Mount[]> {
  const text = await readFile("/proc/self/mountinfo", "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [, , device, root, point] = line.split(" ");
    if (device === undefined || root === undefined || point === undefined) return [];
    return [{ device, root: unescapeField(root), point: unescapeField(point) }];
  });
}

function unescapeField(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

function toKey(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 32);
}
