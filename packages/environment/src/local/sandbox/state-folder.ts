import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { createProcessOwner } from "@switchyard/process-owner";

/** Folders of one sandbox, which nobody else uses. */
export interface PrivateFolder extends AsyncDisposable {
  /** What commands see as `/tmp`. */
  readonly temporary: string;
  /** What commands see as `/var/tmp`. */
  readonly largeTemporary: string;
  /** An empty folder that nobody may write to. */
  readonly empty: string;
}

/**
 * The folder in which all sandboxes of a user keep what they share, below the folder for temporary files. Throws
 * `environment.unavailable` where somebody else has taken its name.
 */
export async function openStateFolder(temporaryDirectory: string): Promise<string> {
  const user = process.getuid?.() ?? 0;
  const folder = join(await realpath(temporaryDirectory), `switchyard-sandbox-${user}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  // The folder for temporary files belongs to all users: another one may have been first.
  if (!found.isDirectory() || found.uid !== user || (found.mode & 0o077) !== 0) {
    const problem = `${folder} is not a folder of this user alone; remove it.`;
    throw new EngineError("environment.unavailable", { environment: "sandbox", problem });
  }
  return folder;
}

/** Makes the folders of one sandbox; removes those that dead processes left. */
export async function openPrivateFolder(state: string): Promise<PrivateFolder> {
  const owner = createProcessOwner();
  await removeAbandoned(state, (token) => owner.livenessOf(token) === "dead");
  const folder = await mkdtemp(join(state, `private.${owner.token}.`));
  const inner = (name: string): string => join(folder, name);
  await mkdir(inner("tmp"));
  await mkdir(inner("var-tmp"));
  await mkdir(inner("empty"), { mode: 0o555 });
  // Whatever the mask of this process says: commands may run as if they were another user.
  for (const name of ["tmp", "var-tmp"]) await chmod(inner(name), 0o1777);
  return {
    temporary: inner("tmp"),
    largeTemporary: inner("var-tmp"),
    empty: inner("empty"),
    [Symbol.asyncDispose]: () => removeTree(folder),
  };
}

async function removeAbandoned(state: string, isDead: (token: string) => boolean): Promise<void> {
  for (const name of await readdir(state)) {
    const [kind, token = ""] = name.split(".");
    if (kind === "private" && isDead(token)) await removeTree(join(state, name));
  }
}

/** Removes a folder and all in it, also what commands took their own permissions from. Rejects for nothing. */
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
    // Somebody else's: root may have been here.
  }
}
