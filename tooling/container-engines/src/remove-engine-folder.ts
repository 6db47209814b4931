import { readFileSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { runProgram } from "./run-program.ts";

const ATTEMPTS = 100;
const WAIT_MS = 100;

/** Unmounts the remaining mounts below an engine's folder, innermost first. */
async function unmountBelow(folder: string): Promise<void> {
  const mounted = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((path) => path.startsWith(`${folder}/`));
  for (const path of mounted.reverse()) {
    if ((await runProgram(["umount", path])).code !== 0) await runProgram(["umount", "-l", path]);
  }
}

/**
 * Removes the folder of an engine that has ended, with its mounts. Podman cleans up after each container in a background
 * process, which may mount the storage again for a moment; then the removal is repeated.
 */
export async function removeEngineFolder(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await unmountBelow(folder);
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      const isBusy =
        error instanceof Error && "code" in error && (error.code === "EBUSY" || error.code === "ENOTEMPTY");
      if (!isBusy || attempt === ATTEMPTS) throw error;
      await delay(WAIT_MS);
    }
  }
}
