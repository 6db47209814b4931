// @ts-check
import { resolve } from "node:path";

/**
 * Returns the command that runs the workspace's own turbo, with the Node version of this process.
 * @param {string} root
 * @param {readonly string[]} args
 * @returns {[string, ...string[]]}
 */
export function turboCommand(root, args) {
  return [process.execPath, resolve(root, "node_modules/turbo/bin/turbo"), ...args];
}
