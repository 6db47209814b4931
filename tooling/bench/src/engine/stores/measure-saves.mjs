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

// 8,400 saves of each contender are counted. The location of a folder's files on disk affects a save more than the
// measuring error, so several folders are used.
const [FOLDERS, ROUNDS, SAVES] = [12, 7, 100];
const LARGE_BYTES = 20 * 2 ** 20;
const [FILE, FILE_LARGE, SQLITE] = ["file store", "file store, 20 MB board", "SQLite store"];

/**
 * Compared quantiles and yardsticks.
 * @type {readonly { subject: string, yardstick: string, share: number, target?: Target }[]}
 */
const COMPARISONS = [
  { subject: FILE, yardstick: "JSONL append + fdatasync", share: 0.5, target: { atMost: 1.2 } },
  { subject: FILE, yardstick: "JSONL append + fdatasync", share: 0.99 },
  // Like ours, it waits for the disk on another thread; the previous one blocks the event loop meanwhile.
  { subject: FILE, yardstick: "same, event loop free", share: 0.5, target: { atMost: 1.2 } },
  { subject: FILE, yardstick: "20 KB append + fdatasync", share: 0.5, target: { atMost: 2.3 } },
  { subject: FILE, yardstick: "4 KB overwrite + fdatasync", share: 0.5 },
  { subject: FILE_LARGE, yardstick: FILE, share: 0.5, target: { atMost: 2 } },
  { subject: FILE_LARGE, yardstick: FILE, share: 0.99 },
  { subject: SQLITE, yardstick: "bare libsql insert", share: 0.5, target: { atMost: 1.15 } },
  { subject: SQLITE, yardstick: "bare libsql insert", share: 0.99 },
];
/** Pairs whose CPU time is compared. */
const PROCESSOR_PAIRS = [
  [FILE, "JSONL append + fdatasync"],
  [FILE_LARGE, FILE],
  [SQLITE, "bare libsql insert"],
];

/**
 * Results of the contenders in one folder.
 * @typedef {object} FolderRun
 * @property {(name: string, share: number) => readonly number[]} quantiles milliseconds, one for each round
 * @property {(name: string) => readonly number[]} cpu microseconds of a save, one for each round
 */

/**
 * @param {Readonly<Record<string, LatencyContender>>} contenders
 * @returns {Promise<FolderRun>}
 */
async function takeSaves(contenders) {
  const entries = Object.entries(contenders).map(([name, { contender }]) => [name, contender]);
  const costs = await takeTurns(Object.fromEntries(entries), ROUNDS);
  return { quantiles: (name, share) => contenders[name]?.quantiles(share) ?? [], cpu: (name) => cpuOf(costs(name)) };
}

/**
 * Saves in a new folder.
 * @param {BoardSnapshot} large
 * @returns {Promise<FolderRun>}
 */
function saveInNewFolder(large) {
  return inNewFolder(async (folder) => {
    const [file, sqlite] = [await openBenchStore("file", folder), await openBenchStore("sqlite", folder)];
    // Changing a board and taking its snapshot are not part of a save.
    const saves = (/** @type {RunWriter} */ writer, /** @type {BoardSnapshot | undefined} */ start) => {
      const next = checkpointSteps(writer.runId, start);
      return latencyContender(SAVES, { prepare: () => next(), operation: (checkpoint) => writer.save(checkpoint) });
    };
    const yardsticks = saveYardsticks(folder);
    const run = await takeSaves({
      [FILE]: saves(await createRun(file, "small"), undefined),
      [FILE_LARGE]: saves(await createRun(file, "large"), large),
      [SQLITE]: saves(await createRun(sqlite, "small"), undefined),
      ...Object.fromEntries(
        Object.entries(yardsticks).map(([name, yardstick]) => [name, latencyContender(SAVES, yardstick)]),
      ),
    });
    for (const { close } of Object.values(yardsticks)) close();
    await Promise.all([file.close(), sqlite.close()]);
    return run;
  });
}

/**
 * Measures storing a checkpoint of a 20 KB change, compared with a disk write of 20 KB.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureSaves() {
  const large = createBoard(plainBoard(LARGE_BYTES)).snapshot();
  /** @type {FolderRun[]} */
  const runs = [];
  for (let folder = 0; folder < FOLDERS; folder += 1) runs.push(await saveInNewFolder(large));
  const quantiles = (/** @type {string} */ name, /** @type {number} */ share) =>
    runs.flatMap((run) => run.quantiles(name, share));
  const cpu = (/** @type {string} */ name) => runs.flatMap((run) => run.cpu(name));
  return [
    ...COMPARISONS.map(({ subject, yardstick, share, target }) => {
      const label = { name: `${subject}, p${share * 100}`, unit: "ms", ...(target === undefined ? {} : { target }) };
      return ratioFigure(label, quantiles(subject, share), { name: yardstick, values: quantiles(yardstick, share) });
    }),
    ...PROCESSOR_PAIRS.map(([subject = "", yardstick = ""]) =>
      ratioFigure({ name: `${subject}, CPU`, unit: "us" }, cpu(subject), { name: yardstick, values: cpu(yardstick) }),
    ),
  ];
}
