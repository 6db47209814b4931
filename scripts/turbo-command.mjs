// @ts-check
import { resolve } from "node:path";

/**
 * The command that runs the workspace's own turbo, with the Node that runs us.
 * @param {string} root
 * @param {readonly string[]} args
 * @returns {[string, ...string[]]}
 */
export function turboCommand(root, args) {
  return [process.execPath, resolve(root, "node_modules/turbo/bin/turbo"), ...args];
}
