// @ts-check
import { plainFigure } from "../../figure/figure.mjs";
import { callsPerStep, canCountCalls, countCalls } from "./count-calls.mjs";
import { countSessionFlushes, SESSIONS } from "./count-session-flushes.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */
/** @import { Calls } from "./count-calls.mjs" */

/** Fewer than the number of changes after which a log is rewritten. */
const SAVES = { few: 5, many: 35 };
const ROUNDS = { few: 5, many: 25 };

/**
 * Counts disk flushes with strace, because they dominate the time on a real disk.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureFlushes() {
  const unit = "flushes";
  if (!canCountCalls()) return [plainFigure({ name: "not counted: strace is missing", unit }, Number.NaN)];
  const saves = (/** @type {string} */ kind) =>
    callsPerStep((steps) => countCalls("save-process.mjs", [kind, "1", String(steps)]), SAVES);
  const noted = (/** @type {Calls} */ { renames }) => ({ note: `${renames} renames` });
  const file = await saves("file");
  const sqlite = await saves("sqlite");
  const round = await callsPerStep((rounds) => countCalls("agent-process.mjs", [String(rounds)]), ROUNDS);
  return [
    plainFigure({ name: "file store, one save", unit, target: { exactly: 1 }, ...noted(file) }, file.flushes),
    plainFigure({ name: "SQLite store, one save", unit, target: { atMost: 1.2 }, ...noted(sqlite) }, sqlite.flushes),
    plainFigure({ name: "agent, one round with a tool", unit, target: { exactly: 2 }, ...noted(round) }, round.flushes),
    plainFigure(
      { name: `SQLite store, ${SESSIONS} sessions, one save`, unit, target: { atMost: 0.2 } },
      await countSessionFlushes("sqlite"),
    ),
    plainFigure({ name: `file store, ${SESSIONS} sessions, one save`, unit }, await countSessionFlushes("file")),
  ];
}
