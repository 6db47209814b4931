// @ts-check
// Sends one kind of request through both contenders, in a separate process. Prints the cost of one request, in CPU µs,
// as JSON.
import { requestContenders } from "./requests/request-contenders.mjs";

/** CPU time that each contender uses before counting starts, in microseconds, so that its code is compiled. */
const WARM_UP_CPU_US = 600_000;
/** Minimum CPU time of each contender while counting, in microseconds. */
const COUNTED_CPU_US = 1_000_000;
/** CPU time of a turn, in microseconds. Short, so that disturbances affect both contenders. */
const TURN_CPU_US = 15_000;

/** @typedef {{ made: number, cpu: number }} Spent */

/** @param {() => Promise<void>} ask @param {number} times @returns {Promise<number>} */
async function cpuOfTurn(ask, times) {
  const before = process.cpuUsage();
  for (let made = 0; made < times; made += 1) await ask();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * Runs turns of both alternately, every second pair reversed, until both have used the CPU time.
 * @param {readonly (() => Promise<void>)[]} contenders
 * @param {{ times: number, cpu: number }} limit
 * @returns {Promise<readonly number[]>} CPU of one request of each
 */
async function takeTurns(contenders, { times, cpu }) {
  const spent = contenders.map(() => 0);
  const order = contenders.map((ask, index) => ({ ask, index }));
  let pairs = 0;
  // An even number, so that both were first equally often.
  for (; pairs % 2 === 1 || Math.min(...spent) < cpu; pairs += 1) {
    for (const { ask, index } of pairs % 2 === 0 ? order : order.toReversed()) {
      spent[index] = (spent[index] ?? 0) + (await cpuOfTurn(ask, times));
    }
  }
  return spent.map((total) => total / (pairs * times));
}

const [, , url = "", chosen = ""] = process.argv;
const { ours, sdk } = requestContenders(url, JSON.parse(chosen));
const [, cost = TURN_CPU_US] = await takeTurns([ours, sdk], { times: 1, cpu: WARM_UP_CPU_US });
const times = Math.max(1, Math.round(TURN_CPU_US / cost));
const [own, others] = await takeTurns([ours, sdk], { times, cpu: COUNTED_CPU_US });
console.log(JSON.stringify({ ours: own, sdk: others }));
