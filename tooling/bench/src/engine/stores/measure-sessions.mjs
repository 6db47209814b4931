// @ts-check
import { ratioFigure } from "../../figure/figure.mjs";
import { takeTurns } from "../../figure/take-turns.mjs";
import { createRun, inNewFolder, openBenchStore } from "./bench-store.mjs";
import { canCountCalls } from "./count-calls.mjs";
import { countSessionFlushes, SESSIONS } from "./count-session-flushes.mjs";
import { saveSteps } from "./save-steps.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */
/** @import { Contender } from "../../figure/take-turns.mjs" */

const ROUNDS = 7;
const SAVES = 500;
/** Size of a session's change in a step, if many sessions run concurrently. */
const SMALL_CHANGE = 2 * 1024;
/** Either of them shows that flushes are shared: if a flush is cheap, sharing it gains little. */
const TARGET = { atLeast: 5 };
const MOST_FLUSHES = 0.2;

/**
 * Creates contenders with the same number of saves, by one session and by all concurrently.
 * @param {"file" | "sqlite"} kind
 * @param {{ folder: string, bytes: number }} options
 * @returns {Promise<{ contenders: Record<"one" | "many", Contender>, close(): Promise<void> }>}
 */
async function contendersOf(kind, { folder, bytes }) {
  const store = await openBenchStore(kind, folder);
  const text = "x".repeat(bytes);
  const alone = saveSteps(await createRun(store, "alone"));
  const steps = await Promise.all(
    Array.from({ length: SESSIONS }, async (_, index) => saveSteps(await createRun(store, `run-${index}`))),
  );
  const one = async (/** @type {number} */ count) => {
    for (let done = 0; done < count; done += 1) await alone(text);
  };
  const many = async (/** @type {number} */ count) => {
    const session = async (/** @type {(text: string) => Promise<void>} */ step) => {
      for (let done = 0; done < count / SESSIONS; done += 1) await step(text);
    };
    await Promise.all(steps.map(session));
  };
  return {
    contenders: { one: { count: SAVES, run: one }, many: { count: SAVES, run: many } },
    close: () => store.close(),
  };
}

/**
 * Accepts few flushes per save as meeting the target, regardless of the cost of a flush on this disk.
 * @param {Figure} figure
 * @param {number} flushes
 * @returns {Figure}
 */
function orByFlushes(figure, flushes) {
  const count = Number.isNaN(flushes) ? "not counted" : flushes.toPrecision(3);
  const note = `or <= ${MOST_FLUSHES} flushes a save: ${count}`;
  return { ...figure, met: figure.met === true || flushes <= MOST_FLUSHES, note };
}

/**
 * Measures saves per second of 100 concurrent sessions, compared with the same saves in sequence.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureSessions() {
  /** @type {Figure[]} */
  const figures = [];
  const flushes = canCountCalls() ? await countSessionFlushes("sqlite") : Number.NaN;
  for (const kind of /** @type {const} */ (["sqlite", "file"])) {
    for (const bytes of [SMALL_CHANGE, 10 * SMALL_CHANGE]) {
      await inNewFolder(async (folder) => {
        const { contenders, close } = await contendersOf(kind, { folder, bytes });
        const costs = await takeTurns(contenders, ROUNDS);
        const perSecond = (/** @type {string} */ name) => costs(name).map(({ wall }) => 1e6 / wall);
        const name = `${kind} store, ${SESSIONS} sessions, ${bytes / 1024} KB`;
        // Files are flushed individually, several concurrently; a database has one flush for all waiting saves.
        const isShared = kind === "sqlite";
        const label = { name, unit: "saves/s", ...(isShared ? { target: TARGET } : {}) };
        const figure = ratioFigure(label, perSecond("many"), { name: "one session", values: perSecond("one") });
        figures.push(isShared ? orByFlushes(figure, flushes) : figure);
        await close();
      });
    }
  }
  return figures;
}
