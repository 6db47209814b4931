import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname, posix } from "node:path";

/** Keys of a folder and its parents that are equal for every spelling of its path. */
export interface FolderKeys {
  /** Keys of the folder itself. */
  readonly own: readonly string[];
  /** Keys of its parents. */
  readonly above: readonly string[];
}

/** A mount: which part of which file system is visible at a path. */
interface Mount {
  readonly device: string;
  readonly root: string;
  readonly point: string;
}

/**
 * Finds the keys of a folder by its real path. Each folder has up to two keys. The inode is the same for every spelling
 * of the path on case-insensitive file systems. The path within the file system is the same through bind mounts
 * (Linux).
 */
export async function findFolderKeys(path: string): Promise<FolderKeys> {
  const mounts = await readMounts();
  const own = new Set<string>();
  const above = new Set<string>();
  await addNames(own, path, mounts);
  for (let folder = path; dirname(folder) !== folder; ) {
    folder = dirname(folder);
    await addNames(above, folder, mounts);
  }
  // The parents of a bind-mounted folder in its file system differ from the parents in its path, so their keys are
  // added too.
  const inside = pathInFileSystem(path, mounts);
  for (let folder = inside?.path ?? "/"; inside !== undefined && folder !== "/"; ) {
    folder = posix.dirname(folder);
    above.add(toKey(`${inside.device}:${folder}`));
  }
  return { own: [...own], above: [...above].filter((key) => !own.has(key)) };
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
    // Of two mounts at one point, the later one covers the other.
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
