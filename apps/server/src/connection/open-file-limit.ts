import { readFile } from "node:fs/promises";

/** Resolves with the process's open file limit (`ulimit -n`). `undefined` if the system does not report it. */
export async function openFileLimit(path = "/proc/self/limits"): Promise<number | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  const [, soft] = /^Max open files\s+(\d+)/mu.exec(text) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
