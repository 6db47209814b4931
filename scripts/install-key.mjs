// @ts-check
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns a hash of everything that determines what is installed: lock file, workspace settings, every manifest, Node
 * and platform.
 * @param {string} root
 * @returns {string}
 */
export function installKey(root) {
  const hash = createHash("sha256").update(`${process.version} ${process.platform} ${process.arch}\n`);
  const manifests = workspaceFolders(root).map((folder) => join(folder, "package.json"));
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", ...manifests]) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

/**
 * Returns whether the result of an earlier installation still exists.
 * @param {string} root
 * @param {string} pnpmFolder
 * @returns {boolean}
 */
export function isComplete(root, pnpmFolder) {
  const withDependencies = workspaceFolders(root).filter((folder) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    return dependencies !== undefined || devDependencies !== undefined;
  });
  const folders = withDependencies.map((folder) => join(root, folder, "node_modules"));
  return [join(pnpmFolder, "pnpm"), ...folders].every((path) => existsSync(path));
}

/**
 * The folders with a manifest under the patterns of pnpm-workspace.yaml, which are names or `name/*`.
 * @param {string} root
 * @returns {string[]}
 */
function workspaceFolders(root) {
  const text = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
  const patterns = [...(/^packages:\n((?: +- .*\n)+)/m.exec(text)?.[1] ?? "").matchAll(/- ['"]?([^'"\n]+)/g)];
  const folders = patterns.flatMap(([, pattern = ""]) =>
    pattern.endsWith("/*") ? childrenOf(root, pattern) : [pattern],
  );
  return folders.filter((folder) => existsSync(join(root, folder, "package.json"))).sort();
}

/**
 * @param {string} root
 * @param {string} pattern
 * @returns {string[]}
 */
function childrenOf(root, pattern) {
  const parent = pattern.slice(0, -2);
  return existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [];
}
