// @ts-check
import { closeSync, mkdirSync, openSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = 1000;
const FILES_EACH = 100;
/** A line of source code without matches. */
const LINE = "const total = items.filter((item) => item.isDone).length; // counted again after each change\n";

/**
 * Creates 100,000 files with different ages, every fifth a `.ts`. One in a hundred contains a line with "dense".
 * @param {string} folder
 */
export function makeTree(folder) {
  const text = LINE.repeat(8);
  for (let outer = 0; outer < FOLDERS; outer += 1) {
    const inside = join(folder, `part-${outer % 10}`, `module-${outer}`);
    mkdirSync(inside, { recursive: true });
    for (let inner = 0; inner < FILES_EACH; inner += 1) {
      const path = join(inside, `file-${inner}.${inner % 5 === 0 ? "ts" : "txt"}`);
      const isDense = inner === 7;
      const isLast = outer === FOLDERS - 1 && inner === 8;
      writeFileSync(path, text + (isDense ? "a dense needle\n" : "") + (isLast ? "a sparse needle\n" : ""));
      const age = 1_700_000_000 + ((outer * 7919 + inner * 104_729) % 10_000_000);
      if (inner % 5 === 0) utimesSync(path, age, age);
    }
  }
}

/**
 * Writes lines of equal length up to a file size. Every `every`-th line is dense, the last one sparse.
 * @param {string} path @param {{ bytes: number, every: number }} size
 */
export function makeLog(path, { bytes, every }) {
  const file = openSync(path, "w");
  const block = Array.from({ length: 10_000 }, (_, line) =>
    line % every === every - 1 ? `a dense needle ${LINE}` : LINE,
  ).join("");
  for (let written = 0; written < bytes; ) written += writeSync(file, block);
  writeSync(file, "a sparse needle\n");
  closeSync(file);
}
