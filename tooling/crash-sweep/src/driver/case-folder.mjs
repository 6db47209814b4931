// @ts-check
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { WORKSPACE } from "../scenario/script.mjs";

/**
 * The folders and files of one run and of what is noted about it.
 * @typedef {{ root: string, variant: string, stateDirectory: string, workspace: string, oracle: string, ledger: string }} CaseFolder
 */

/**
 * A new folder with a fresh workspace in it.
 * @param {string} variant
 * @returns {CaseFolder}
 */
export function makeCaseFolder(variant) {
  const root = mkdtempSync(join(tmpdir(), "crash-sweep-"));
  const workspace = join(root, "workspace");
  for (const [path, text] of Object.entries(WORKSPACE)) {
    const file = join(workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return {
    root,
    variant,
    workspace,
    stateDirectory: join(root, "state"),
    oracle: join(root, "oracle.jsonl"),
    ledger: join(root, "ledger.txt"),
  };
}

/**
 * @param {CaseFolder} folder
 * @returns {void}
 */
export function removeCaseFolder({ root }) {
  rmSync(root, { recursive: true, force: true });
}

/**
 * Every file of a workspace with its content.
 * @param {string} workspace
 * @returns {Record<string, string>}
 */
export function readWorkspace(workspace) {
  const files = readdirSync(workspace, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const entries = files.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(workspace.length + 1), readFileSync(path, "utf8")];
  });
  return Object.fromEntries(entries.sort());
}
