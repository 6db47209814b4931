import { createHash } from "node:crypto";
import { readlink } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import type { ChangedFile, FileChanges } from "./file-changes.ts";
import { CaptureLimit, type FileList, type ListedFile, listFiles } from "./list-files.ts";

/** Maximum number of changed files, folders and links. More changes are rejected with `CaptureLimit`. */
const MAX_CHANGED = 10_000;
/** Maximum size of all changed files together, in bytes. Larger changes are rejected with `CaptureLimit`. */
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * Minimum time, in milliseconds, between the last change of a file and the moment at which its timestamps are read. If
 * the time is shorter, the file counts as changed: the clock of the file system is coarse, so another change may leave
 * the timestamps the same.
 */
const SETTLED_MS = 50;

/** Stores the content of a file, and resolves with the name under which it is stored. */
export type StoreContent = (hash: string, content: Uint8Array) => Promise<string>;

/** Finds what has changed in a workspace since its initial state. */
export interface ChangeTracker {
  /**
   * Resolves with all changes since the initial state. Calls `store` for each content that has changed since the last
   * call. Rejects with `CaptureLimit` for more than 10,000 changed entries or 64 MiB, and with the errors of `store`.
   */
  capture(store: StoreContent): Promise<FileChanges>;
}

/** Content of a file that was read before. */
interface KnownContent {
  readonly file: ListedFile;
  readonly readMs: number;
  readonly content: string;
}

/** Creates a tracker for the workspace of an open environment. `base` is the initial state. */
export function createChangeTracker(environment: ExecutionEnvironment, base: FileList): ChangeTracker {
  const root = environment.workingDirectory;
  const known = new Map<string, KnownContent>();

  async function contentOf(path: string, file: ListedFile, store: StoreContent): Promise<string | undefined> {
    const before = known.get(path);
    if (before !== undefined && isSame(before.file, file, before.readMs)) return before.content;
    const readMs = Date.now();
    const bytes = await readIfThere(environment, path, file.size);
    if (bytes === undefined) return undefined;
    const content = await store(createHash("sha256").update(bytes).digest("hex"), bytes);
    known.set(path, { file, readMs, content });
    return content;
  }

  async function toChanged(path: string, file: ListedFile, store: StoreContent): Promise<ChangedFile | undefined> {
    const { kind, mode, size } = file;
    if (kind === "folder") return { path, kind, mode };
    if (kind === "link") return { path, kind, target: await readlink(join(root, path)) };
    const content = await contentOf(path, file, store);
    return content === undefined ? undefined : { path, kind, mode, size, content };
  }

  return {
    capture: async (store) => {
      const { files } = await listFiles(root);
      const differing = [...files].filter(([path, file]) => !isSame(base.files.get(path), file, base.listedMs));
      assertWithinLimits(differing);
      const changed: ChangedFile[] = [];
      for (const [path, file] of differing) {
        const entry = await toChanged(path, file, store);
        if (entry !== undefined) changed.push(entry);
      }
      const removed = [...base.files.keys()].filter((path) => !files.has(path));
      return { format: 1, removed, changed };
    },
  };
}

/** Returns whether a file is unchanged since its earlier properties `before` were read, at the time `readMs`. */
function isSame(before: ListedFile | undefined, now: ListedFile, readMs: number): boolean {
  return (
    before?.kind === now.kind &&
    before.mode === now.mode &&
    before.size === now.size &&
    before.stamp === now.stamp &&
    before.changedMs < readMs - SETTLED_MS
  );
}

function assertWithinLimits(differing: readonly (readonly [string, ListedFile])[]): void {
  if (differing.length > MAX_CHANGED) throw new CaptureLimit(`more than ${MAX_CHANGED} files and folders have changed`);
  let bytes = 0;
  for (const [, { size }] of differing) bytes += size;
  if (bytes > MAX_BYTES) throw new CaptureLimit(`the changed files are larger than ${MAX_BYTES / 1024 / 1024} MiB`);
}

/**
 * Reads a file in the environment, which refuses paths that lead outside. `undefined` if the file was removed
 * meanwhile.
 */
async function readIfThere(
  environment: ExecutionEnvironment,
  path: string,
  size: number,
): Promise<Uint8Array | undefined> {
  try {
    return await environment.readBytes(path, { length: size + 1 });
  } catch (error) {
    if (EngineError.is(error, "environment.file_not_found") || EngineError.is(error, "environment.not_a_directory"))
      return undefined;
    throw error;
  }
}
