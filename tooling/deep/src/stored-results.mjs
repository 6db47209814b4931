// @ts-check
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @import { StoredResult } from "./deep-suite.mjs" */

const FOLDER = join(import.meta.dirname, "../results");

/**
 * Stores the outcome of a deep run. `docs/reference/reliability.md` is generated from these files.
 * @param {string} name the suite's name
 * @param {StoredResult} result
 * @returns {void}
 */
export function storeResult(name, result) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(result, undefined, 2)}\n`);
}
