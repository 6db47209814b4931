// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./repository.mjs";

/** Wordings in messages that read like a literal translation, each with its replacement. */
const WORDINGS = [
  { pattern: /["`](?:it|this|they|its [\w ]+|[^"`]*\}) (?:is|are) no (?!longer)/, instead: "is not a" },
  { pattern: /["`][^"`]*\b(?:is|are) none(?: of \$\{|["`])/, instead: "is not one of: …" },
  { pattern: /["`][^"`]*\b(?:would|does) not go on\b/, instead: "continue" },
];

/**
 * Returns the messages in source files below a folder that contain a wording to avoid.
 * @param {string} root
 * @returns {string[]} problems
 */
export function foreignWordings(root) {
  const isSource = /^(?:packages|apps)\/[^/]+\/(?:src|page)\/.*(?<!\.test|\.test-d)\.tsx?$/;
  const files = ["packages", "apps"].flatMap((parent) =>
    filesBelow(join(root, parent), () => true).map((path) => `${parent}/${path}`),
  );
  return files.filter((path) => isSource.test(path)).flatMap((path) => wordingsIn(root, path));
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function wordingsIn(root, path) {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (/^\s*(?:\/?\*|\/\/)/.test(line)) return [];
    const found = WORDINGS.find(({ pattern }) => pattern.test(line));
    return found === undefined ? [] : [`${path}:${index + 1}: write "${found.instead}" in: ${line.trim()}`];
  });
}
