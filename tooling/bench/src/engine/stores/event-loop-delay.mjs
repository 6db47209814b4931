// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const TICK_MS = 1;
/** Long enough for the timer to tick before and after. */
const MARGIN_MS = 20;
const SCHEDULER = "/proc/self/schedstat";
const hasScheduler = existsSync(SCHEDULER);

/** How long this thread was ready but other processes had the processors, in milliseconds; 0 where nobody tells. */
function waitedForProcessor() {
  return hasScheduler ? Number(readFileSync(SCHEDULER, "utf8").split(" ")[1]) / 1e6 : 0;
}

/**
 * The longest time for which the event loop was blocked while something was done, in milliseconds. Where the system
 * tells how long it gave the processors to others, that is not part of it.
 * @param {() => unknown} work
 * @returns {Promise<number>}
 */
export async function longestDelay(work) {
  let longest = 0;
  let [last, waited] = [performance.now(), waitedForProcessor()];
  const tick = () => {
    const [now, waitedByNow] = [performance.now(), waitedForProcessor()];
    longest = Math.max(longest, now - last - TICK_MS - (waitedByNow - waited));
    [last, waited] = [now, waitedByNow];
  };
  const ticker = setInterval(tick, TICK_MS);
  await wait(MARGIN_MS);
  longest = 0;
  await work();
  await wait(MARGIN_MS);
  clearInterval(ticker);
  return longest;
}
