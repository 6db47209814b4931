import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { systemCodeOf } from "./store-failure.ts";
import type { StoreFiles } from "./store-files.ts";

/** Creates a folder and its missing parents. When the promise resolves, they survive a power failure. */
export async function makeFolders(files: StoreFiles, path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolders(files, dirname(path));
  await files.makeFolder(path).catch((error: unknown) => {
    // Another process has created the folder first.
    if (systemCodeOf(error) !== "EEXIST") throw error;
  });
  await files.syncFolder(dirname(path));
}
