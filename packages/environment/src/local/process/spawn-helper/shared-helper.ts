import type { SpawnHelper } from "./spawn-helper.ts";
import { canStartHelper, startSpawnHelper } from "./spawn-helper.ts";

/**
 * Resident memory of this process, in bytes, above which commands are started through a helper process. libuv forks,
 * and the kernel copies the page tables of this process for every command. CPU time of one command in ms (2 busy cores,
 * Node 20; only the ratios matter):
 *
 * | resident     | 55 MB | 185 MB | 310 MB | 570 MB | 1,080 MB |
 * | ------------ | ----- | ------ | ------ | ------ | -------- |
 * | direct       | 2.9   | 8.6    | 12     | 20     | 30       |
 * | by a helper  | 1.3   | 1.1    | 1.0    | 1.4    | 1.2      |
 *
 * For smaller processes, the 40 MB of the helper process are not worth it. `pnpm bench environment memory` repeats the
 * measurement.
 */
const LARGE_BYTES = 256 * 1024 * 1024;

/** Time, in milliseconds, for which a measurement of this process's memory is reused. */
const CHECK_INTERVAL_MS = 100;

/**
 * Time, in milliseconds, for which the helper process keeps running after the last environment that used it was closed.
 * An environment that is opened within this time reuses the helper. Starting a helper takes as much processor time as
 * several direct starts of commands.
 */
const IDLE_MS = 10_000;

/**
 * Selects whether this process or a helper process starts commands. `auto`: the helper, if this process uses much
 * memory.
 */
export type HelperUse = "auto" | "always" | "never";

/** One environment's reference to the helper process that all environments of this process share. */
export interface HelperShare {
  /**
   * Resolves with the helper process that starts the next command, or `undefined` if the command is to be started
   * directly.
   */
  forNextCommand(): Promise<SpawnHelper | undefined>;
  /**
   * Releases the reference. When all references are released, the helper process exits, after an idle time of some
   * seconds or together with this process.
   */
  close(): void;
}

// All environments of this process share one helper process, because it is a Node process of 40 MB.
let shares = 0;
let current: SpawnHelper | undefined;
let starting: Promise<SpawnHelper | undefined> | undefined;
let failures = 0;
/** Ends the idle helper process. */
let idle: NodeJS.Timeout | undefined;

/** Returns a reference to the shared helper process. The helper process is started on first use. */
export function shareSpawnHelper(use: HelperUse = "auto"): HelperShare {
  shares += 1;
  clearTimeout(idle);
  let isOpen = true;
  return {
    async forNextCommand() {
      if (!isOpen || use === "never" || !(use === "always" || isLarge())) return undefined;
      if (current?.isAlive === true) return current;
      const started = start();
      // With `auto`, commands are started directly until the helper process is ready.
      return use === "always" ? started : undefined;
    },
    close() {
      if (isOpen) shares -= 1;
      isOpen = false;
      if (shares === 0) endWhenIdle();
    },
  };
}

let looked = { isLarge: false, until: 0 };

/**
 * Returns whether this process uses so much memory that starting commands through a helper process is faster. Always
 * false except on Linux: macOS does not copy page tables on fork, and Windows has no fork. Measuring takes a thirtieth
 * of the time of a command.
 */
function isLarge(): boolean {
  if (process.platform !== "linux" || !canStartHelper()) return false;
  const now = performance.now();
  if (now >= looked.until) {
    looked = { isLarge: process.memoryUsage.rss() >= LARGE_BYTES, until: now + CHECK_INTERVAL_MS };
  }
  return looked.isLarge;
}

/** Starts the helper process, or restarts it if it has exited. After several failures, no further attempt is made. */
async function start(): Promise<SpawnHelper | undefined> {
  if (failures > 1) return undefined;
  starting ??= startSpawnHelper();
  const helper = await starting;
  starting = undefined;
  if (helper === undefined) failures += 1;
  else {
    current = helper;
    if (shares === 0) endWhenIdle();
  }
  return helper;
}

/**
 * Ends the helper process after the idle time, unless an environment is opened before. A helper that still has
 * commands, for example with output that nobody reads, ends at once, because it would keep this process running.
 */
function endWhenIdle(): void {
  clearTimeout(idle);
  if (current?.isIdle === false) end();
  else idle = setTimeout(end, IDLE_MS).unref();
}

function end(): void {
  current?.close();
  current = undefined;
}
