import { readFile } from "node:fs/promises";

/** Returns how many files this process may open (`ulimit -n`); `undefined` where the system does not say. */
export async function openFileLimit(path = "/proc/self/limits"): Promise<number | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  const [, soft] = /^Max open files\s+(\d+)/mu.exec(text) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
