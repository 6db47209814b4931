import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { toStoreFailure } from "./store-failure.ts";

/** Only the owner reads what a run leaves behind. */
export const FILE_MODE = 0o600;
/** Only the owner enters the folders of a run. */
export const FOLDER_MODE = 0o700;

/** How a file is replaced. */
export interface ReplaceOptions {
  /** Whether it also survives a power failure; otherwise only the end of this process. */
  durable: boolean;
}

/**
 * Replaces a whole file: readers see the old content or the new one, never a part. Throws `run.store_failed`.
 * Promises D1 and D3.
 */
export async function replaceFile(path: string, content: string, options: ReplaceOptions): Promise<void> {
  const temporary = `${path}.new`;
  try {
    const file = await open(temporary, "w", FILE_MODE);
    try {
      await file.writeFile(content);
      if (options.durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    if (options.durable) await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw toStoreFailure(error, path);
  }
}

/** Makes the names in a folder durable. Throws what the file system throws. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its file systems journal the names by themselves.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
