// @ts-check
// Run in the root folder: writes the tarball of each published package, as it would be published, to .cache/tarballs.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { TARBALLS } from "./package/tarball-of.mjs";

const published = ["--filter", "./packages/*", "--filter", "./apps/*"];
// A package that is gone must not leave its tarball.
rmSync(TARBALLS, { recursive: true, force: true });
const pack = spawnSync("pnpm", ["--recursive", ...published, "pack", "--pack-destination", TARBALLS], {
  encoding: "utf8",
  shell: process.platform === "win32",
});
if (pack.status !== 0) console.error(`${pack.stdout}${pack.stderr}`);
process.exitCode = pack.status ?? 1;
