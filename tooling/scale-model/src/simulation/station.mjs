// @ts-check

/** @import { Timeline } from "./timeline.mjs" */

/** A number of processor cores that serve requests in the order in which they arrive. */
export class Station {
  /** @type {Timeline} */
  #timeline;
  /** Times at which the cores become free, in seconds. @type {number[]} */
  #freeS;
  /** Number of requests that have arrived. */
  arrived = 0;
  /** Number of requests that have been served. */
  served = 0;
  /** Sum of the times that the cores worked, in seconds. */
  busyS = 0;
  /** Sum of the times between arrival and end of all served requests, in seconds. */
  sojournS = 0;
  /** Integral of the number of requests in the station over time, in seconds. */
  areaS = 0;
  #inside = 0;
  #changedS = 0;

  /** @param {Timeline} timeline @param {number} cores */
  constructor(timeline, cores) {
    this.#timeline = timeline;
    this.#freeS = Array.from({ length: cores }, () => 0);
  }

  /** Number of requests that wait or are being served. */
  get inside() {
    return this.#inside;
  }

  /**
   * Adds a request. `onEnd` receives the time that it waited, in seconds.
   * @param {number} serviceS
   * @param {(waitedS: number) => void} [onEnd]
   */
  request(serviceS, onEnd) {
    const { nowS } = this.#timeline;
    let core = 0;
    for (const [index, freeS] of this.#freeS.entries()) if (freeS < (this.#freeS[core] ?? 0)) core = index;
    const beginS = Math.max(nowS, this.#freeS[core] ?? 0);
    const endS = beginS + serviceS;
    this.#freeS[core] = endS;
    this.#count(1);
    this.arrived += 1;
    this.#timeline.after(endS - nowS, () => {
      this.#count(-1);
      this.served += 1;
      this.busyS += serviceS;
      this.sojournS += endS - nowS;
      onEnd?.(beginS - nowS);
    });
  }

  /** @param {number} change */
  #count(change) {
    const { nowS } = this.#timeline;
    this.areaS += this.#inside * (nowS - this.#changedS);
    this.#changedS = nowS;
    this.#inside += change;
  }
}

/**
 * Returns the mean waiting time in an M/M/c queue according to Erlang's C formula, in seconds. Contract: the offered load
 * is less than the number of cores.
 * @param {{ arrivalsPerS: number, serviceS: number, cores: number }} queue
 */
export function erlangWaitS({ arrivalsPerS, serviceS, cores }) {
  const load = arrivalsPerS * serviceS;
  let blocked = 1;
  for (let core = 1; core <= cores; core += 1) blocked = (load * blocked) / (core + load * blocked);
  const waits = blocked / (1 - (load / cores) * (1 - blocked));
  return (waits * serviceS) / (cores - load);
}
