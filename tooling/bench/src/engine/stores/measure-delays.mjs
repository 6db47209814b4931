// @ts-check
import { setTimeout as wait } from "node:timers/promises";
import { createBoard } from "@switchyard/engine";
import { plainFigure } from "../../figure/figure.mjs";
import { plainBoard } from "../snapshots/plain-board.mjs";
import { createRun, inNewFolder, openBenchStore } from "./bench-store.mjs";
import { longestDelay } from "./event-loop-delay.mjs";
import { saveSteps } from "./save-steps.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */
/** @import { PlainBoard } from "../snapshots/plain-board.mjs" */
/**
 * Longest time for which each operation blocked the event loop, in milliseconds.
 * @typedef {Record<string, number>} Delays
 */

const REPETITIONS = 7;
const LARGE_BYTES = 20 * 2 ** 20;
const [SAVES, IDLE_MS] = [100, 200];
/** Enough replacements of a large text to outweigh the board, so that its log is rewritten. */
const [LARGE_TEXT, LARGE_CHANGES] = ["x".repeat(2 ** 20), 45];

/** Synchronous implementations of the same store operations. */
const YARDSTICKS = ["JSON.stringify of that board", "JSON.parse of that board", "nothing"];

/**
 * @param {"file" | "sqlite"} kind
 * @param {PlainBoard} state
 * @returns {Promise<Delays>}
 */
function delaysOf(kind, state) {
  return inNewFolder(async (folder) => {
    const store = await openBenchStore(kind, folder);
    const writer = await createRun(store, "run");
    const step = saveSteps(writer, createBoard(state).snapshot());
    const times = async (/** @type {number} */ count, /** @type {string | undefined} */ text) => {
      for (let done = 0; done < count; done += 1) await step(text);
    };
    /** @type {Delays} */
    const delays = {
      "first save": await longestDelay(() => step()),
      [`${SAVES} saves of 20 KB`]: await longestDelay(() => times(SAVES, undefined)),
      "saves until the log is written afresh": await longestDelay(() => times(LARGE_CHANGES, LARGE_TEXT)),
      load: await longestDelay(async () => createBoard((await store.load("run"))?.board)),
    };
    await store.close();
    return Object.fromEntries(Object.entries(delays).map(([name, delay]) => [`${kind} store, ${name}`, delay]));
  });
}

/**
 * @param {PlainBoard} state
 * @returns {Promise<Delays>}
 */
async function yardsticks(state) {
  const text = JSON.stringify(state);
  const [stringify = "", parse = "", nothing = ""] = YARDSTICKS;
  return {
    [stringify]: await longestDelay(() => JSON.stringify(state)),
    [parse]: await longestDelay(() => JSON.parse(text)),
    [nothing]: await longestDelay(() => wait(IDLE_MS)),
  };
}

/**
 * Measures the longest time for which a board of 20 MB blocks the event loop. The least disturbed repetition counts,
 * because real blocking occurs every time, and other processes only lengthen it.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureDelays() {
  const state = plainBoard(LARGE_BYTES);
  /** @type {Delays[]} */
  const repetitions = [];
  for (let done = 0; done <= REPETITIONS; done += 1) {
    repetitions.push({
      ...(await delaysOf("file", state)),
      ...(await delaysOf("sqlite", state)),
      ...(await yardsticks(state)),
    });
  }
  return Object.keys(repetitions[0] ?? {}).map((name) => {
    const target = YARDSTICKS.includes(name) ? {} : { target: { atMost: 50 } };
    // The first repetition includes compilation.
    const values = repetitions.slice(1).map((delays) => delays[name] ?? Number.NaN);
    return plainFigure({ name, unit: "ms", ...target }, Math.min(...values));
  });
}
