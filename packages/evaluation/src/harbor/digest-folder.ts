import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

const EXECUTABLE = 0o111;

/** Returns a digest of all files of a folder: their paths, their contents, and whether they can be executed. */
export async function digestFolder(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const add = async (path: string): Promise<void> => {
    for (const name of (await readdir(join(folder, path))).sort()) {
      const below = path === "" ? name : `${path}/${name}`;
      const found = await lstat(join(folder, below));
      if (found.isDirectory()) await add(below);
      else if (found.isSymbolicLink()) hash.update(JSON.stringify([below, await readlink(join(folder, below))]));
      else if (found.isFile()) {
        const content = await readFile(join(folder, below));
        hash.update(JSON.stringify([below, (found.mode & EXECUTABLE) !== 0, content.length])).update(content);
      }
    }
  };
  await add("");
  return hash.digest("hex");
}
