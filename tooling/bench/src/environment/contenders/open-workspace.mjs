// @ts-check
import { openLocalEnvironment } from "@switchyard/environment/local";

/** @param {string} root @param {Partial<import("@switchyard/environment/local").LocalEnvironmentOptions>} [options] */
export function openWorkspace(root, options) {
  return openLocalEnvironment({ root, env: process.env, ...options });
}
