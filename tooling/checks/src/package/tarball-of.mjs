// @ts-check
import { join, resolve } from "node:path";

/** @import { Manifest } from "../repository.mjs" */

/** Folder with the tarballs of the repository that the check runs in. */
export const TARBALLS = resolve(".cache/tarballs");

/**
 * Returns the path of a package's tarball, as `pnpm pack` names it.
 * @param {Pick<Manifest, "name" | "version">} manifest
 * @returns {string}
 */
export function tarballOf({ name, version }) {
  return join(TARBALLS, `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`);
}
