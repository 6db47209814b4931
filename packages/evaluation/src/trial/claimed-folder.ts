import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createProcessOwner } from "@switchyard/process-owner";
import { FILE_MODE, FOLDER_MODE } from "../files/file-modes.ts";

/**
 * Extension of mark files. A mark file names the process that uses a folder. It is stored next to the folder, not in
 * it, because the folder is a workspace.
 */
const CLAIM = ".owner";

/**
 * Maximum length of a mark file's content, in characters. If the content is longer, `claimFolder` has not written it,
 * so the folder is not removed.
 */
const MAX_CLAIM = 200;

/** Prefix of folders for workspaces in the temporary folder. */
const TEMPORARY = "switchyard-eval-";

/**
 * Creates a mark file for a folder that this process is about to create and use. Disposing the object removes the mark
 * file. If the process is killed, `sweepClaimedFolders` removes the folder and its mark file.
 */
export async function claimFolder(folder: string): Promise<AsyncDisposable> {
  const path = `${folder}${CLAIM}`;
  // Failures are ignored here: if the mark cannot be written, creating the folder fails too, and that failure is
  // reported.
  await mkdir(dirname(folder), { recursive: true, mode: FOLDER_MODE }).catch(() => undefined);
  await writeFile(path, createProcessOwner().token, { mode: FILE_MODE }).catch(() => undefined);
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }).catch(() => undefined) };
}

/**
 * Removes the folders whose mark file names a process that has ended. Folders without a mark file stay, because they
 * may be the user's. Folders of living processes and of other machines stay too. Resolves with the number of removed
 * folders. Failures are ignored.
 */
export async function sweepClaimedFolders(parent: string): Promise<number> {
  const owner = createProcessOwner();
  let removed = 0;
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.endsWith(CLAIM) || name === CLAIM) continue;
    const path = join(parent, name);
    const token = await readFile(path, "utf8").catch(() => "");
    if (token.length > MAX_CLAIM || owner.livenessOf(token) !== "dead") continue;
    try {
      await rm(path.slice(0, -CLAIM.length), { recursive: true, force: true });
      await rm(path, { force: true });
      removed += 1;
    } catch {
      // For example, a container wrote files as another user. The next sweep tries again.
    }
  }
  return removed;
}

/** Creates a folder for workspaces in the temporary folder, and removes those of killed evaluations. */
export async function openTemporaryWorkspaces(temporaryDirectory: string): Promise<string> {
  for (const name of await readdir(temporaryDirectory).catch(() => [])) {
    if (!name.startsWith(TEMPORARY)) continue;
    const folder = join(temporaryDirectory, name);
    // A folder that other workspaces still use is not empty and stays.
    if ((await sweepClaimedFolders(folder)) > 0) await rmdir(folder).catch(() => undefined);
  }
  return mkdtemp(join(temporaryDirectory, TEMPORARY));
}
