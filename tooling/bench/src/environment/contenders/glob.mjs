// @ts-check
import { spawn } from "node:child_process";
import { importPeer } from "../../../environment-peers/import-peer.mjs";
import { ripgrepPath } from "./grep.mjs";
import { openWorkspace } from "./open-workspace.mjs";

/** @import { ApartContender, ContenderKind } from "./contender-kind.mjs" */
/** @typedef {{ root: string }} GlobSetting */

/** @param {number} [maxResults] @returns {(setting: GlobSetting) => Promise<ApartContender>} */
function ours(maxResults) {
  return async ({ root }) => {
    const environment = await openWorkspace(root);
    return {
      run: async () => ({ files: (await environment.glob("**/*.ts", { maxResults })).length }),
      close: async () => environment[Symbol.asyncDispose](),
    };
  };
}

/** ripgrep alone. @param {GlobSetting} setting @returns {Promise<ApartContender>} */
async function ripgrep({ root }) {
  const program = ripgrepPath();
  const argv = ["--no-config", "--files", "--hidden", "--sortr=modified", "--glob=*.ts", "./"];
  return {
    run: () =>
      new Promise((done) => {
        const child = spawn(program, argv, { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
        /** @type {Buffer[]} */
        const chunks = [];
        child.stdout.on("data", (chunk) => chunks.push(chunk));
        child.once("close", () => done({ files: Buffer.concat(chunks).toString().split("\n").length - 1 }));
      }),
  };
}

/** The `glob` package, as used by coding agents. @param {GlobSetting} setting @returns {Promise<ApartContender>} */
async function globPackage({ root }) {
  const { glob } = await importPeer("glob");
  return {
    async run() {
      /** @type {{ mtimeMs?: number, fullpath(): string }[]} */
      const found = await glob("**/*.ts", { cwd: root, nodir: true, dot: true, withFileTypes: true, stat: true });
      found.sort((one, other) => (other.mtimeMs ?? 0) - (one.mtimeMs ?? 0));
      return { files: found.map((file) => file.fullpath()).length };
    },
  };
}

/** @type {ContenderKind} */
export const GLOB = { ours: ours(), all: ours(100_000), ripgrep, "glob package": globPackage };
