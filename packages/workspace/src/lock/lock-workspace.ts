import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, fileProblem } from "@switchyard/contracts";
import { createProcessOwner, describeOwner, type Owner } from "@switchyard/process-owner";
import type { RunLocation } from "../worktree/run-location.ts";
import { findHolder, type LockHolder, tryFileLock } from "./file-lock.ts";
import { type FolderKeys, findFolderKeys } from "./folder-keys.ts";
import { type LockIndex, openLockIndex } from "./lock-index.ts";
import { withFileLock } from "./with-file-lock.ts";

/** Options for locking a workspace. */
export interface WorkspaceLockOptions extends RunLocation {
  /**
   * Called when a lock is taken over from a dead process of another run, with the folder's real path and the other
   * run's id. It must end remaining processes of that run. Otherwise two agents in one folder would overwrite each
   * other's work.
   */
  readonly onTakeover: (folder: string, earlierRunId: string) => Promise<void>;
}

/**
 * Locks a folder, its parents and its subfolders against other runs until the returned lock is disposed. If several
 * processes try at the same time, exactly one succeeds. The lock of a dead process is taken over. Rejects with
 * `workspace.locked`, `run.leased` if the same run holds it, `workspace.not_found` and `run.store_failed`.
 */
export async function lockWorkspace(workspace: string, options: WorkspaceLockOptions): Promise<AsyncDisposable> {
  const path = await realpath(workspace).catch((cause: unknown) => {
    throw new EngineError("workspace.not_found", { path: workspace }, { cause });
  });
  const locks = join(options.state, "locks");
  const keys = await findFolderKeys(path);
  const attempt = {
    path,
    keys,
    locks,
    index: openLockIndex(join(options.state, "lock-index")),
    owner: createProcessOwner(),
  };
  const result = await withFileLock(join(locks, "acquiring"), () => tryFolder(attempt, options)).catch(
    (cause: unknown) => {
      if (EngineError.is(cause)) throw cause;
      throw new EngineError("run.store_failed", { path: locks, problem: fileProblem(cause) }, { cause });
    },
  );
  for (const { folder, earlierRunId } of result.abandoned) await options.onTakeover(folder, earlierRunId);
  return result.acquired;
}

interface Attempt {
  /** Real path of the folder. */
  readonly path: string;
  readonly keys: FolderKeys;
  /** Folder that contains the locks. */
  readonly locks: string;
  readonly index: LockIndex;
  readonly owner: Owner;
}

interface AbandonedFolder {
  readonly folder: string;
  readonly earlierRunId: string;
}

/**
 * Acquires the lock on a folder, unless a living process holds a lock on the folder, a parent or a subfolder. Returns
 * the lock, and the folders whose locks were taken over from dead processes.
 */
async function tryFolder(
  { path, keys, locks, index, owner }: Attempt,
  { runId }: WorkspaceLockOptions,
): Promise<{ acquired: AsyncDisposable; abandoned: readonly AbandonedFolder[] }> {
  const lock = createHash("sha256").update(path).digest("hex").slice(0, 32);
  const abandoned: AbandonedFolder[] = [];
  const addAbandoned = async (folder: string, { note }: LockHolder): Promise<void> => {
    if (note !== runId) abandoned.push({ folder, earlierRunId: note });
  };
  for (const other of await index.find(keys)) {
    if (other.lock === lock) continue;
    const holder = await findHolder(join(locks, other.lock), { owner }, (deadHolder) =>
      addAbandoned(other.path, deadHolder),
    );
    if (holder !== undefined) throw refusal(other.path, holder, { owner, runId });
    await index.remove(await findFolderKeys(other.path), other.lock);
    await index.forget(keys, other.lock);
  }
  const result = await tryFileLock(join(locks, lock), { owner, note: runId });
  if ("holder" in result) throw refusal(path, result.holder, { owner, runId });
  if (result.from !== undefined) await addAbandoned(path, result.from);
  const acquired = {
    async [Symbol.asyncDispose]() {
      await index.remove(keys, lock);
      await result.acquired[Symbol.asyncDispose]();
    },
  };
  try {
    await index.add(keys, { lock, path });
  } catch (error) {
    await acquired[Symbol.asyncDispose]();
    throw error;
  }
  return { acquired, abandoned };
}

function refusal(path: string, { token, note }: LockHolder, { owner, runId }: { owner: Owner; runId: string }) {
  const described = describeOwner(token, owner);
  if (note === runId) return new EngineError("run.leased", { runId, owner: described });
  return new EngineError("workspace.locked", { path, owner: described });
}
