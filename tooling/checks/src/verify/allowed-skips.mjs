// @ts-check
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** @import { Skip } from "@switchyard/suite/result-line" */

/**
 * The skips nobody allowed: `.ci/skips` names what may be left out in CI, one `<test or check>: <reason>` a line.
 * @param {readonly Skip[]} skips
 * @param {string} root
 * @returns {Skip[]}
 */
export function unexpectedSkips(skips, root) {
  const lines = readFileSync(resolve(root, ".ci/skips"), "utf8").split("\n");
  const allowed = new Set(lines.filter((line) => line !== "" && !line.startsWith("#")));
  return skips.filter(({ name, reason }) => !allowed.has(`${name}: ${reason}`));
}
