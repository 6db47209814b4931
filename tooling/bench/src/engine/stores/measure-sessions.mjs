// @ts-check
import { ratioFigure } from "../../figure/figure.mjs";
import { takeTurns } from "../../figure/take-turns.mjs";
import { createRun, inNewFolder, openBenchStore } from "./bench-store.mjs";
import { saveSteps } from "./save-steps.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */
/** @import { Contender } from "../../figure/take-turns.mjs" */

const ROUNDS = 7;
const SESSIONS = 100;
const SAVES = 500;
/** What one session says in a step where many run at once. */
const SMALL_CHANGE = 2 * 1024;

/**
 * The same number of saves by one session and by all at once.
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
 * Saves per second of 100 sessions at once, beside the same saves one after the other.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureSessions() {
  /** @type {Figure[]} */
  const figures = [];
  for (const kind of /** @type {const} */ (["sqlite", "file"])) {
    for (const bytes of [SMALL_CHANGE, 10 * SMALL_CHANGE]) {
      await inNewFolder(async (folder) => {
        const { contenders, close } = await contendersOf(kind, { folder, bytes });
        const costs = await takeTurns(contenders, ROUNDS);
        const perSecond = (/** @type {string} */ name) => costs(name).map(({ wall }) => 1e6 / wall);
        const name = `${kind} store, ${SESSIONS} sessions, ${bytes / 1024} KB`;
        // Files are flushed one by one, several at a time; a database has one flush for all that wait.
        const label = { name, unit: "saves/s", ...(kind === "sqlite" ? { target: { atLeast: 5 } } : {}) };
        figures.push(ratioFigure(label, perSecond("many"), { name: "one session", values: perSecond("one") }));
        await close();
      });
    }
  }
  return figures;
}
