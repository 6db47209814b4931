import type { StoreFiles } from "./store-files.ts";

/**
 * Writes a new file and flushes its content to the disk. The name of the file is durable when the caller has flushed the
 * folder. Rejects with the system's error, `EEXIST` if the file exists.
 */
export async function writeNewFile(files: StoreFiles, path: string, content: string): Promise<void> {
  const file = await files.open(path, "new");
  try {
    await file.write(Buffer.from(content));
    await file.sync();
  } finally {
    await file.close();
  }
}
