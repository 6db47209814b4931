// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const TICK_MS = 1;
/** Long enough for the timer to tick before and after. */
const MARGIN_MS = 20;
const SCHEDULER = "/proc/self/schedstat";
const hasScheduler = existsSync(SCHEDULER);

/**
 * Returns how long this thread was ready while other processes had the processors, in milliseconds. 0 if the system
 * does not report it.
 */
function waitedForProcessor() {
  return hasScheduler ? Number(readFileSync(SCHEDULER, "utf8").split(" ")[1]) / 1e6 : 0;
}

/**
 * Returns the longest time for which a function blocked the event loop, in milliseconds, without the time given to
 * other processes if the system reports it.
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
