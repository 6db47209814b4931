// @ts-check
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SCENARIOS } from "../scenario/scenario.mjs";
import { scenarioOf } from "../variants/variants.mjs";
import { endLeftProcesses } from "../worker/left-processes.mjs";

/**
 * Folders and files of one run and of its recorded observations.
 * @typedef {{ root: string, variant: string, stateDirectory: string, workspace: string, oracle: string, ledger: string }} CaseFolder
 */

/**
 * Creates a folder with a new workspace.
 * @param {string} variant
 * @returns {CaseFolder}
 */
export function makeCaseFolder(variant) {
  const root = mkdtempSync(join(tmpdir(), "crash-sweep-"));
  const workspace = join(root, "workspace");
  for (const [path, text] of Object.entries(SCENARIOS[scenarioOf(variant)].workspace)) {
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
 * Removes a folder, and ends remaining processes of the run.
 * @param {CaseFolder} folder
 * @returns {void}
 */
export function removeCaseFolder({ root, ledger }) {
  endLeftProcesses(ledger);
  rmSync(root, { recursive: true, force: true });
}

/**
 * Returns every file of a workspace with its content.
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
