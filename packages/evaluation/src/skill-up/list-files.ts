import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Folders that are not part of a skill. */
const IGNORED: readonly string[] = [".git", "node_modules"];

/** Lists the regular files below a folder, as relative paths with `/`. */
export async function listFiles(root: string, below = ""): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && !IGNORED.includes(entry.name)) files.push(...(await listFiles(root, path)));
    else if (entry.isFile()) files.push(path);
  }
  return files.sort();
}
