import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type StoredDocument } from "@switchyard/contracts";
import { sealDocument } from "../../codec/sealed-text.ts";
import { makeFolders } from "../disk/make-folders.ts";
import { systemCodeOf } from "../disk/store-failure.ts";
import type { StoreFiles } from "../disk/store-files.ts";
import { writeNewFile } from "../disk/write-new-file.ts";

// The folder of a document contains one file with the content of each version, and an empty file whose name contains
// the newest version. A process replaces the document by writing the new content and renaming the empty file. If
// several processes do this, only one rename succeeds, because the old name then no longer exists. No process waits for
// another one, even if one is killed.

/** Pattern of the name of the empty file, which contains the newest version of the document. */
const NEWEST = /^newest-((\d{1,15})-[0-9a-f-]{36})$/;
/** Name of a file with the content of a version. */
const CONTENT = /^content-(\d{1,15})-[0-9a-f-]{36}$/;
/** Version of a document that was never stored. */
export const NO_VERSION = "0-00000000-0000-0000-0000-000000000000";
/** Number of times that the names in a folder are read until a version is found. */
const MAX_READS = 1_000;

/** Resolves with the newest version in the folder of a document; `undefined` if there is no folder. */
export async function newestOf(folder: string): Promise<string | undefined> {
  // A list of names that is read during a rename may contain both names, or neither.
  for (let read = 0; read < MAX_READS; read += 1) {
    const names = await readdir(folder).catch((error: unknown) => {
      if (systemCodeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    if (names === undefined) return undefined;
    const found = names.flatMap((name) => {
      const [, version, number] = NEWEST.exec(name) ?? [];
      return version === undefined ? [] : [{ version, number: Number(number) }];
    });
    const newest = found.sort((left, right) => right.number - left.number)[0];
    if (newest !== undefined) return newest.version;
  }
  throw new EngineError("store.malformed", { path: folder, problem: "the file that names the version is missing" });
}

/** Creates the folder of a document with the empty file, if the folder does not exist. */
export async function createFolder(files: StoreFiles, root: string, folder: string): Promise<void> {
  await makeFolders(files, root);
  if ((await newestOf(folder)) !== undefined) return;
  const prepared = join(root, `new-${randomUUID()}`);
  await files.makeFolder(prepared);
  try {
    await (await files.open(join(prepared, `newest-${NO_VERSION}`), "new")).close();
    await files.rename(prepared, folder);
    await files.syncFolder(root);
  } catch (error) {
    await files.removeTree(prepared).catch(() => undefined);
    // Another process has created the folder first.
    if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes(systemCodeOf(error) ?? "")) throw error;
  }
}

/** Stores the text as the next version, if `version` is the newest one. Resolves with the new version. */
export async function replaceVersion(
  files: StoreFiles,
  folder: string,
  { text, version }: StoredDocument,
): Promise<string | undefined> {
  const number = Number(version.split("-", 1)[0]) + 1;
  const next = `${number}-${randomUUID()}`;
  const path = join(folder, `content-${next}`);
  try {
    await writeNewFile(files, path, sealDocument({ text }));
    await files.rename(join(folder, `newest-${version}`), join(folder, `newest-${next}`));
  } catch (error) {
    await files.remove(path).catch(() => undefined);
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  await files.syncFolder(folder);
  await removeOlder(files, folder, number);
  return next;
}

/** Removes the content of older versions, also of those that lost against another process. */
async function removeOlder(files: StoreFiles, folder: string, number: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, found] = CONTENT.exec(name) ?? [];
    // Another process may remove the same file.
    if (found !== undefined && Number(found) < number) await files.remove(join(folder, name)).catch(() => undefined);
  }
}
