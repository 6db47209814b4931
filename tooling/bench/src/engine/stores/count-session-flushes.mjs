// @ts-check
import { callsPerStep, countCalls } from "./count-calls.mjs";

/** Number of sessions that save concurrently. */
export const SESSIONS = 100;
const STEPS = { few: 2, many: 10 };

/**
 * Returns the flushes per save of one session when this many save concurrently.
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
