// @ts-check
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** @import { Skip } from "@switchyard/suite/result-line" */

/**
 * Returns skips that are not listed in `.ci/skips`, which has one `<test or check>: <reason>` per line. A name that
 * ends with `*` matches a prefix.
 * @param {readonly Skip[]} skips
 * @param {string} root
 * @returns {Skip[]}
 */
export function unexpectedSkips(skips, root) {
  const lines = readFileSync(resolve(root, ".ci/skips"), "utf8").split("\n");
  const allowed = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return skips.filter(({ name, reason }) => !allowed.some((line) => allows(line, name, reason)));
}

/**
 * @param {string} line
 * @param {string} name
 * @param {string} reason
 * @returns {boolean}
 */
function allows(line, name, reason) {
  if (line === `${name}: ${reason}`) return true;
  const end = line.indexOf("*: ");
  return end >= 0 && name.startsWith(line.slice(0, end)) && line.slice(end + "*: ".length) === reason;
}
