import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { createProcessOwner, describeOwner, type Owner } from "@switchyard/process-owner";
import { fileProblem } from "../input/read-json.ts";

/**
 * Keeps other runs out of a folder until it is disposed of. The lock of a process that died is taken over. Rejects with
 * `workspace.locked`, `run.leased` where it is the same run, `workspace.not_found` and `output.unwritable`.
 */
export async function lockWorkspace(
  workspace: string,
  { state, runId }: { state: string; runId: string },
): Promise<AsyncDisposable> {
  const path = await realpath(workspace).catch((cause: unknown) => {
    throw new EngineError("workspace.not_found", { path: workspace }, { cause });
  });
  const folder = join(state, "locks");
  const lock = join(folder, createHash("sha256").update(path).digest("hex").slice(0, 32));
  const owner = createProcessOwner();
  // Two runs of one process, as in a test, are two all the same.
  const content = `${owner.token}\n${runId}\n${randomUUID()}\n`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await take(lock, content, { owner, path, runId });
  } catch (cause) {
    if (EngineError.is(cause)) throw cause;
    throw new EngineError("output.unwritable", { path: lock, problem: fileProblem(cause) }, { cause });
  }
  return {
    [Symbol.asyncDispose]: async () => {
      // One that was taken over, by whoever thought this process dead, is theirs.
      if ((await readLock(lock)) === content) await rm(lock, { force: true });
    },
  };
}

interface Claimant {
  readonly owner: Owner;
  readonly path: string;
  readonly runId: string;
}

async function take(lock: string, content: string, { owner, path, runId }: Claimant): Promise<void> {
  const own = `${lock}.${randomUUID()}`;
  await writeFile(own, content, { mode: 0o600 });
  try {
    for (;;) {
      // A link is made whole and only where there is none, on every file system that has them.
      if (await isLinked(own, lock)) return;
      const held = await readLock(lock);
      if (held === undefined) continue;
      const [token = "", holder] = held.split("\n");
      if (owner.livenessOf(token) !== "dead") {
        const described = describeOwner(token, owner);
        if (holder === runId) throw new EngineError("run.leased", { runId, owner: described });
        throw new EngineError("workspace.locked", { path, owner: described });
      }
      await removeDead(lock, held);
    }
  } finally {
    await rm(own, { force: true });
  }
}

async function isLinked(own: string, lock: string): Promise<boolean> {
  try {
    await link(own, lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function readLock(lock: string): Promise<string | undefined> {
  return readFile(lock, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Another one may have removed it and taken it by now: what was moved away is looked at again. */
async function removeDead(lock: string, dead: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  const isMoved = await rename(lock, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  if ((await readLock(aside)) !== dead) await isLinked(aside, lock);
  await rm(aside, { force: true });
}
