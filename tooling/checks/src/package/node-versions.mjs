// @ts-check
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ROOT } from "../repository.mjs";

/** @import { Skip } from "@switchyard/suite/result-line" */

/**
 * A Node version to test with. `env` puts it first on PATH.
 * @typedef {{ name: string, env: NodeJS.ProcessEnv }} NodeVersion
 */

/**
 * Returns the current Node and Node 24 from tooling/node-matrix, and those missing on this platform.
 * @returns {{ versions: NodeVersion[], skipped: Skip[] }}
 */
export function nodeVersions() {
  const current = { name: `Node ${process.version}`, env: environmentWith(dirname(process.execPath)) };
  if (process.versions.node.startsWith("24.")) return { versions: [current], skipped: [] };
  const folder = join(ROOT, "tooling/node-matrix/node_modules/node24/bin");
  if (!existsSync(join(folder, "node"))) {
    const reason = `no Node 24 for ${process.platform} ${process.arch} in tooling/node-matrix`;
    return { versions: [current], skipped: [{ name: "Node 24", reason }] };
  }
  return { versions: [current, { name: "Node 24", env: environmentWith(folder) }], skipped: [] };
}

/**
 * @param {string} folder
 * @returns {NodeJS.ProcessEnv}
 */
function environmentWith(folder) {
  // A Node from the registry has its own certificates; this machine may need others.
  const env = { ...process.env, NODE_USE_SYSTEM_CA: "1", npm_config_update_notifier: "false" };
  return { ...env, PATH: [folder, process.env["PATH"]].join(delimiter) };
}
