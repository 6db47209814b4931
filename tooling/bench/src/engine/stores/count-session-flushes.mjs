// @ts-check
import { callsPerStep, countCalls } from "./count-calls.mjs";

/** Sessions that save at once. */
export const SESSIONS = 100;
const STEPS = { few: 2, many: 10 };

/**
 * Flushes for one save of one session, when so many save at once.
 * @param {"file" | "sqlite"} kind
 * @returns {Promise<number>}
 */
export async function countSessionFlushes(kind) {
  const { flushes } = await callsPerStep(
    (steps) => countCalls("save-process.mjs", [kind, String(SESSIONS), String(steps)]),
    STEPS,
  );
  return flushes / SESSIONS;
}
