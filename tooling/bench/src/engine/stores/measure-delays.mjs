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
/** What blocked the event loop, and for how long at most: milliseconds. @typedef {Record<string, number>} Delays */

const REPETITIONS = 7;
const LARGE_BYTES = 20 * 2 ** 20;
const [SAVES, IDLE_MS] = [100, 200];
/** So many replacements of so large a text outweigh the board, so that its log is written afresh. */
const [LARGE_TEXT, LARGE_CHANGES] = ["x".repeat(2 ** 20), 45];

/** The same by a store that does it in one go. */
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
 * How long a board of 20 MB blocks the event loop for others, at most. Of each kind the least disturbed repetition
 * counts: what blocks by itself does so every time, and other processes only lengthen it.
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
    // The first repetition compiles the code.
    const values = repetitions.slice(1).map((delays) => delays[name] ?? Number.NaN);
    return plainFigure({ name, unit: "ms", ...target }, Math.min(...values));
  });
}
