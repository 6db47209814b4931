import { open } from "node:fs/promises";

/** Flushes the names in a folder to the disk. Does nothing on Windows. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders for flushing. It is not needed there, because Windows file systems journal names.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
