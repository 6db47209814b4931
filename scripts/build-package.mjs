// @ts-check
// A package's build, run in its folder: always from a clean `dist`, so that no deleted module stays in it.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";

for (const output of ["dist", "node_modules/.cache/tsbuildinfo.json", "node_modules/.cache/tsc"]) {
  rmSync(output, { recursive: true, force: true });
}
const tsc = resolve(import.meta.dirname, "../node_modules/typescript/bin/tsc");
// Not `-b`: that would also write what the package refers to, which other tasks may be reading. One thread needs a third
// less processor time than several, which check the global types once each, and turbo builds several packages at a time.
process.exitCode = spawnSync(process.execPath, [tsc, "-p", ".", "--singleThreaded"], { stdio: "inherit" }).status ?? 1;
