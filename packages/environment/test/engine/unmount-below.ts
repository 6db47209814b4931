import { readFileSync } from "node:fs";
import { runProgram } from "./run-program.ts";

/** Unmounts what an engine left mounted below its folder, the innermost first. */
export async function unmountBelow(folder: string): Promise<void> {
  const mounted = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((path) => path.startsWith(`${folder}/`));
  for (const path of mounted.reverse()) {
    if ((await runProgram(["umount", path])).code !== 0) await runProgram(["umount", "-l", path]);
  }
}
