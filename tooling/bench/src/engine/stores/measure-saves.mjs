// @ts-check
import { createBoard } from "@switchyard/engine";
import { ratioFigure } from "../../figure/figure.mjs";
import { latencyContender } from "../../figure/latency-contender.mjs";
import { cpuOf, takeTurns } from "../../figure/take-turns.mjs";
import { plainBoard } from "../snapshots/plain-board.mjs";
import { createRun, inNewFolder, openBenchStore } from "./bench-store.mjs";
import { checkpointSteps } from "./save-steps.mjs";
import { saveYardsticks } from "./save-yardsticks.mjs";

/** @import { BoardSnapshot, RunWriter } from "@switchyard/contracts" */
/** @import { Figure, Target } from "../../figure/figure.mjs" */
/** @import { LatencyContender } from "../../figure/latency-contender.mjs" */

// 4,000 saves of each contender are counted.
const [ROUNDS, SAVES] = [40, 100];
const LARGE_BYTES = 20 * 2 ** 20;
const [FILE, FILE_LARGE, SQLITE] = ["file store", "file store, 20 MB board", "SQLite store"];

/**
 * Which quantiles are set beside which yardstick.
 * @type {readonly { subject: string, yardstick: string, share: number, target?: Target }[]}
 */
const COMPARISONS = [
  { subject: FILE, yardstick: "JSONL append + fdatasync", share: 0.5, target: { atMost: 1.2 } },
  { subject: FILE, yardstick: "JSONL append + fdatasync", share: 0.99 },
  // Like ours, it waits for the disk on another thread; the one above blocks the event loop meanwhile.
  { subject: FILE, yardstick: "same, event loop free", share: 0.5, target: { atMost: 1.2 } },
  { subject: FILE, yardstick: "20 KB append + fdatasync", share: 0.5, target: { atMost: 2.3 } },
  { subject: FILE, yardstick: "4 KB overwrite + fdatasync", share: 0.5 },
  { subject: FILE_LARGE, yardstick: FILE, share: 0.5, target: { atMost: 2 } },
  { subject: FILE_LARGE, yardstick: FILE, share: 0.99 },
  { subject: SQLITE, yardstick: "bare libsql insert", share: 0.5, target: { atMost: 1.15 } },
  { subject: SQLITE, yardstick: "bare libsql insert", share: 0.99 },
];
/** Whose CPU time is set beside whose. */
const PROCESSOR_PAIRS = [
  [FILE, "JSONL append + fdatasync"],
  [FILE_LARGE, FILE],
  [SQLITE, "bare libsql insert"],
];

/**
 * @param {Readonly<Record<string, LatencyContender>>} contenders
 * @returns {Promise<readonly Figure[]>}
 */
async function compare(contenders) {
  const entries = Object.entries(contenders).map(([name, { contender }]) => [name, contender]);
  const costs = await takeTurns(Object.fromEntries(entries), ROUNDS);
  const quantiles = (/** @type {string} */ name, /** @type {number} */ share) =>
    contenders[name]?.quantiles(share) ?? [];
  const latencies = COMPARISONS.map(({ subject, yardstick, share, target }) => {
    const label = { name: `${subject}, p${share * 100}`, unit: "ms", ...(target === undefined ? {} : { target }) };
    return ratioFigure(label, quantiles(subject, share), { name: yardstick, values: quantiles(yardstick, share) });
  });
  const processor = PROCESSOR_PAIRS.map(([subject = "", yardstick = ""]) =>
    ratioFigure({ name: `${subject}, CPU`, unit: "us" }, cpuOf(costs(subject)), {
      name: yardstick,
      values: cpuOf(costs(yardstick)),
    }),
  );
  return [...latencies, ...processor];
}

/**
 * What it takes to keep a checkpoint of a 20 KB change, beside what a disk takes to keep 20 KB.
 * @returns {Promise<readonly Figure[]>}
 */
export function measureSaves() {
  return inNewFolder(async (folder) => {
    const [file, sqlite] = [await openBenchStore("file", folder), await openBenchStore("sqlite", folder)];
    const large = createBoard(plainBoard(LARGE_BYTES)).snapshot();
    // To change a board and to take its snapshot is no part of a save.
    const saves = (/** @type {RunWriter} */ writer, /** @type {BoardSnapshot | undefined} */ start) => {
      const next = checkpointSteps(writer.runId, start);
      return latencyContender(SAVES, { prepare: () => next(), operation: (checkpoint) => writer.save(checkpoint) });
    };
    const yardsticks = saveYardsticks(folder);
    const contenders = {
      [FILE]: saves(await createRun(file, "small"), undefined),
      [FILE_LARGE]: saves(await createRun(file, "large"), large),
      [SQLITE]: saves(await createRun(sqlite, "small"), undefined),
      ...Object.fromEntries(
        Object.entries(yardsticks).map(([name, yardstick]) => [name, latencyContender(SAVES, yardstick)]),
      ),
    };
    const figures = await compare(contenders);
    for (const { close } of Object.values(yardsticks)) close();
    await Promise.all([file.close(), sqlite.close()]);
    return figures;
  });
}
