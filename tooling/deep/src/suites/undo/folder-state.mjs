// @ts-check
import { lstat, readdir, readFile, readlink } from "node:fs/promises";

/**
 * Returns everything in a folder by path: kind, permissions and content. `.git` folders are skipped. Names are bytes as
 * `latin1`.
 * @param {string} root
 * @returns {Promise<Record<string, string>>}
 */
export async function folderState(root) {
  /** @type {Record<string, string>} */
  const state = {};
  /** @param {string} path */
  const visit = async (path) => {
    const absolute = Buffer.from(`${root}/${path}`, "latin1");
    const found = await lstat(absolute);
    const mode = (found.mode & 0o7777).toString(8);
    if (found.isSymbolicLink()) state[path] = `link ${(await readlink(absolute, "buffer")).toString("latin1")}`;
    else if (found.isFile()) state[path] = `file ${mode} ${await readFile(absolute, "base64")}`;
    else if (found.isDirectory()) {
      if (path !== "") state[path] = `folder ${mode}`;
      for (const name of await readdir(absolute, "latin1")) {
        if (name !== ".git") await visit(path === "" ? name : `${path}/${name}`);
      }
    } else state[path] = "special";
  };
  await visit("");
  return state;
}
