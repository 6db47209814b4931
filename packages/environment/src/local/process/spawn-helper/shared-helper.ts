import type { SpawnHelper } from "./spawn-helper.ts";
import { canStartHelper, startSpawnHelper } from "./spawn-helper.ts";

/**
 * Resident memory from which commands are started through a helper. libuv forks, and the kernel copies the page tables
 * of this process for every command. CPU time of one command in ms (2 busy cores, Node 20; the ratios count):
 *
 * | resident     | 55 MB | 185 MB | 310 MB | 570 MB | 1,080 MB |
 * | ------------ | ----- | ------ | ------ | ------ | -------- |
 * | direct       | 2.9   | 8.6    | 12     | 20     | 30       |
 * | by a helper  | 1.3   | 1.1    | 1.0    | 1.4    | 1.2      |
 *
 * Below this size, the 40 MB of the helper are not worth it. `pnpm bench environment memory` measures it again.
 */
const LARGE_BYTES = 256 * 1024 * 1024;

/** Time for which the measured size of this process is reused, in milliseconds. */
const LOOK_AGAIN_MS = 100;

/** When commands are started through a helper. */
export type HelperUse = "auto" | "always" | "never";

/** One environment's share of the process-wide helper. */
export interface HelperShare {
  /** Resolves with the helper for the next command. `undefined`: start the command directly. */
  forNextCommand(): Promise<SpawnHelper | undefined>;
  /** Releases the share; the helper exits with the last one. */
  close(): void;
}

// One helper for the whole process, regardless of the number of environments: each is a Node process of 40 MB.
let shares = 0;
let current: SpawnHelper | undefined;
let starting: Promise<SpawnHelper | undefined> | undefined;
let failures = 0;

/** Acquires a share of the helper, which is started on first use. */
export function shareSpawnHelper(use: HelperUse = "auto"): HelperShare {
  shares += 1;
  let isOpen = true;
  return {
    async forNextCommand() {
      if (!isOpen || use === "never" || !(use === "always" || isLarge())) return undefined;
      if (current?.isAlive === true) return current;
      const started = start();
      // With `auto`, commands do not wait until the helper is ready.
      return use === "always" ? started : undefined;
    },
    close() {
      if (isOpen) shares -= 1;
      isOpen = false;
      if (shares === 0) end();
    },
  };
}

let looked = { isLarge: false, until: 0 };

/**
 * Returns whether this process is large enough for a helper. macOS copies nothing and Windows has no fork. Measuring
 * costs a thirtieth of a command.
 */
function isLarge(): boolean {
  if (process.platform !== "linux" || !canStartHelper()) return false;
  const now = performance.now();
  if (now >= looked.until) {
    looked = { isLarge: process.memoryUsage.rss() >= LARGE_BYTES, until: now + LOOK_AGAIN_MS };
  }
  return looked.isLarge;
}

/** Restarts a helper that has died. One that cannot start is not retried forever. */
async function start(): Promise<SpawnHelper | undefined> {
  if (failures > 1) return undefined;
  starting ??= startSpawnHelper();
  const helper = await starting;
  starting = undefined;
  if (helper === undefined) failures += 1;
  else if (shares === 0) helper.close();
  else current = helper;
  return helper;
}

function end(): void {
  current?.close();
  current = undefined;
}
