import type { Stats } from "node:fs";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { access, open, rename, rm } from "node:fs/promises";
import type { FileContent } from "@switchyard/contracts";
import { toBytes } from "../../output/to-bytes.ts";
import type { LocalWorkspace } from "./pin-path.ts";
import type { PinnedTarget } from "./pin-target.ts";
import { lstatIfExists, pinTarget } from "./pin-target.ts";
import { removeAbandonedFiles, temporaryName } from "./temporary-file.ts";
import { assertRegularFile, systemCodeOf } from "./to-file-error.ts";

const PERMISSION_BITS = 0o7777;
const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Writes a whole file: into a new file with a random name in the same folder, which then replaces the old one. A reader
 * sees either the old or the new content, even after a failure. Mode and owner of an existing file are preserved, and
 * links are followed.
 */
export async function replaceFileContent(workspace: LocalWorkspace, path: string, content: FileContent): Promise<void> {
  const target = await pinTarget(workspace, path, { makeFolders: true, followLink: true });
  await using _parent = target.parent;
  const existing = await lstatIfExists(target.parent.access(target.name));
  if (existing !== undefined) {
    assertRegularFile(existing, path);
    // Checks write permission on the file itself: replacing a file needs only write permission on its folder.
    await access(target.parent.access(target.name), constants.W_OK);
  }
  await removeAbandonedFiles(workspace, target.parent);
  await replaceFile(target, content, existing);
}

async function replaceFile(
  { parent, name }: PinnedTarget,
  content: FileContent,
  existing: Stats | undefined,
): Promise<void> {
  const temporary = parent.access(temporaryName());
  const handle = await open(temporary, CREATE_NEW, existing === undefined ? 0o666 : 0o600);
  try {
    try {
      await writeAll(handle, toBytes(content));
      if (existing !== undefined) await copyOwnerAndMode(handle, existing);
    } finally {
      await handle.close();
    }
    await rename(temporary, parent.access(name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The handle's `writeFile` is not used: it writes chunks of 512 KB, each in a separate event loop turn. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}

async function copyOwnerAndMode(handle: FileHandle, existing: Stats): Promise<void> {
  const created = await handle.stat();
  if (created.uid !== existing.uid || created.gid !== existing.gid) {
    try {
      await handle.chown(existing.uid, existing.gid);
    } catch (error) {
      // Only root may change a file's owner. The error is ignored, because the content is written anyway.
      if (systemCodeOf(error) !== "EPERM") throw error;
    }
  }
  // The mode is set after the owner, because chown clears the set-user-id bits.
  await handle.chmod(existing.mode & PERMISSION_BITS);
}
