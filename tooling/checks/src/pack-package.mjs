// @ts-check
// Run in a package's folder: writes the tarball that would be published to node_modules/.cache/pack/package.tgz.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { tarballOf } from "./package/tarball-of.mjs";

const tarball = tarballOf(process.cwd());
mkdirSync(dirname(tarball), { recursive: true });
const pack = spawnSync("pnpm", ["pack", "--out", tarball], { encoding: "utf8", shell: process.platform === "win32" });
if (pack.status !== 0) console.error(`${pack.stdout}${pack.stderr}`);
process.exitCode = pack.status ?? 1;
