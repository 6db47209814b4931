// @ts-check
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * A committed, generated file: its path in the repository, and its expected content.
 * @typedef {{ path: string, text: string }} GeneratedFile
 */

/**
 * Compares committed files with their generated content, byte for byte. With `update`, writes them instead.
 * @param {readonly GeneratedFile[]} files
 * @param {{ root: string, update: boolean, command: string }} options
 * @returns {string[]} problems
 */
export function compareGenerated(files, { root, update, command }) {
  return files.flatMap(({ path, text }) => {
    const file = join(root, path);
    const current = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    if (current === text) return [];
    if (!update) return [`${path} is ${current === undefined ? "missing" : "out of date"}. Run \`${command}\`.`];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return [];
  });
}
