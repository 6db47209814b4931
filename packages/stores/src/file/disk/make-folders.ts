import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { systemCodeOf } from "./store-failure.ts";
import type { StoreFiles } from "./store-files.ts";

/** Makes a folder with those above it that are missing; all of them outlive the loss of power. */
export async function makeFolders(files: StoreFiles, path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolders(files, dirname(path));
  await files.makeFolder(path).catch((error: unknown) => {
    // Another process was faster.
    if (systemCodeOf(error) !== "EEXIST") throw error;
  });
  await files.syncFolder(dirname(path));
}
