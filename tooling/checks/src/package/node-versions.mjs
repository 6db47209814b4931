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
 * Returns the current Node and others from tooling/node-matrix, and those missing on this platform.
 * @param {readonly string[]} [others] major versions
 * @returns {{ versions: NodeVersion[], skipped: Skip[] }}
 */
export function nodeVersions(others = ["24"]) {
  const versions = [{ name: `Node ${process.version}`, env: environmentWith(dirname(process.execPath)) }];
  /** @type {Skip[]} */
  const skipped = [];
  for (const major of others.filter((one) => !process.versions.node.startsWith(`${one}.`))) {
    const folder = join(ROOT, `tooling/node-matrix/node_modules/node${major}/bin`);
    const name = `Node ${major}`;
    if (existsSync(join(folder, "node"))) versions.push({ name, env: environmentWith(folder) });
    else skipped.push({ name, reason: `no ${name} for ${process.platform} ${process.arch} in tooling/node-matrix` });
  }
  return { versions, skipped };
}

/**
 * @param {string} folder
 * @returns {NodeJS.ProcessEnv}
 */
function environmentWith(folder) {
  // What runs after an installation connects only to this machine. Node 20 reads these certificates whenever it starts.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return { ...env, npm_config_update_notifier: "false", PATH: [folder, process.env["PATH"]].join(delimiter) };
}
