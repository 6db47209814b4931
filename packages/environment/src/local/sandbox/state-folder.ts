import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { createProcessOwner } from "@switchyard/process-owner";

/** Folders that only one sandbox uses. */
export interface PrivateFolder extends AsyncDisposable {
  /** Folder mounted as `/tmp`. */
  readonly temporary: string;
  /** Folder mounted as `/var/tmp`. */
  readonly largeTemporary: string;
  /** An empty folder without write permission. */
  readonly empty: string;
  /** Folder of exposed sockets. Hidden from the commands of other sandboxes. */
  readonly sockets: string;
}

/**
 * Opens the folder for state that all sandboxes of a user share. It is inside the system's folder for temporary files.
 * Throws `environment.unavailable` if another user owns the folder.
 */
export async function openStateFolder(temporaryDirectory: string): Promise<string> {
  const user = process.getuid?.() ?? 0;
  const folder = join(await realpath(temporaryDirectory), `switchyard-sandbox-${user}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  // Any user can create files in the system's temporary folder, so another user may have created this folder.
  if (!found.isDirectory() || found.uid !== user || (found.mode & 0o077) !== 0) {
    const problem = `${folder} is not a folder that only this user can access; remove it.`;
    throw new EngineError("environment.unavailable", { environment: "sandbox", problem });
  }
  return folder;
}

/** Creates the folders that one sandbox uses, and removes such folders of dead processes. */
export async function openPrivateFolder(state: string): Promise<PrivateFolder> {
  const owner = createProcessOwner();
  await removeAbandoned(state, (token) => owner.livenessOf(token) === "dead");
  const folder = await mkdtemp(join(state, `private.${owner.token}.`));
  const inner = (name: string): string => join(folder, name);
  await mkdir(inner("tmp"));
  await mkdir(inner("var-tmp"));
  await mkdir(inner("empty"), { mode: 0o555 });
  await mkdir(inner("run"));
  // The mode is set explicitly, regardless of the umask, because commands may run as another user.
  for (const name of ["tmp", "var-tmp"]) await chmod(inner(name), 0o1777);
  return {
    temporary: inner("tmp"),
    largeTemporary: inner("var-tmp"),
    empty: inner("empty"),
    sockets: inner("run"),
    [Symbol.asyncDispose]: () => removeTree(folder),
  };
}

async function removeAbandoned(state: string, isDead: (token: string) => boolean): Promise<void> {
  for (const name of await readdir(state)) {
    const [kind, token = ""] = name.split(".");
    if (kind === "private" && isDead(token)) await removeTree(join(state, name));
  }
}

/** Removes a folder recursively, even if commands have removed permissions of its subfolders. Never rejects. */
async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await openFolders(folder);
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function openFolders(folder: string): Promise<void> {
  try {
    await chmod(folder, 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) await openFolders(join(folder, entry.name));
    }
  } catch {
    // The folder contains files that this user cannot remove, for example files of root.
  }
}
