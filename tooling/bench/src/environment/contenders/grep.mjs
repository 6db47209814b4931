// @ts-check
import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { openWorkspace } from "./open-workspace.mjs";

/** @import { ApartContender, ContenderKind } from "./contender-kind.mjs" */
/** @typedef {{ root: string, path: string, word: string }} GrepSetting */

const PACKAGE = resolve(import.meta.dirname, "../../../../../packages/environment/package.json");

/** Returns the path of the ripgrep that our search uses. @returns {string} */
export function ripgrepPath() {
  return createRequire(PACKAGE)("@vscode/ripgrep").rgPath;
}

/** @param {GrepSetting} setting @returns {Promise<ApartContender>} */
async function ours({ root, path, word }) {
  const environment = await openWorkspace(root);
  return {
    async run() {
      const { matches, truncated } = await environment.grep(`a ${word} needle`, { path: join(root, path) });
      return { matches: matches.length, truncated: truncated ? 1 : 0 };
    },
    close: async () => environment[Symbol.asyncDispose](),
  };
}

/** Scans everything and discards the output. @param {GrepSetting} setting @returns {Promise<ApartContender>} */
async function fullScan({ root, path, word }) {
  const program = ripgrepPath();
  const sink = openSync("/dev/null", "w");
  const argv = ["--no-config", "--line-number", "--hidden", "-e", `a ${word} needle`, join(root, path)];
  return {
    run: () =>
      new Promise((done) => {
        spawn(program, argv, { stdio: ["ignore", sink, sink] }).once("close", () => done());
      }),
  };
}

/** @type {ContenderKind} */
export const GREP = { ours, "full scan": fullScan };
