import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { systemCodeOf } from "./store-failure.ts";

/** Maximum size of a record, report or checkpoint log, in bytes. A larger file is not read. */
const MAX_FILE_BYTES = 2 ** 31 - 1;
// Links could lead outside the run folder, so they are not followed.
// Opening a pipe could block forever, so files are opened non-blocking.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file for reading; `undefined` if it does not exist. Throws file system errors. */
export async function openToRead(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, FLAGS);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error("it is not a regular file");
}

/** Resolves with the bytes of a regular file; `undefined` if it does not exist. Throws file system errors. */
export async function readBytes(path: string): Promise<Buffer | undefined> {
  const file = await openToRead(path);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > MAX_FILE_BYTES) throw new Error(`it has ${size} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
