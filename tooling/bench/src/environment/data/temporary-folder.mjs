// @ts-check
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs a function with a temporary folder.
 * @template T
 * @param {(folder: string) => T} work
 * @returns {T}
 */
export function withFolder(work) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bench-environment-")));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    return work(folder);
  } finally {
    remove();
    process.removeListener("exit", remove);
  }
}
