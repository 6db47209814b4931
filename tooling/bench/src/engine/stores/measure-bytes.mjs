// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { createBoard } from "@switchyard/engine";
import { plainFigure, ratioFigure } from "../../figure/figure.mjs";
import { plainBoard } from "../snapshots/plain-board.mjs";
import { createRun, inNewFolder, openBenchStore } from "./bench-store.mjs";
import { saveSteps } from "./save-steps.mjs";

/** @import { BoardSnapshot } from "@switchyard/contracts" */
/** @import { Figure } from "../../figure/figure.mjs" */

const CHANGE_BYTES = 20 * 1024;
const LARGE_BYTES = 20 * 2 ** 20;
/** Number of steps before a log is rewritten, and enough of them for two rewrites. */
const [FEW, MANY] = [40, 2_500];
const COUNTERS = "/proc/self/io";

/** Returns the number of bytes written by this process. */
function writtenBytes() {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(COUNTERS, "utf8"))?.[1]);
}

/**
 * Returns the bytes written per step of a run in the file store whose steps each change 20 KB.
 * @param {{ start: BoardSnapshot | undefined, steps: number }} options
 * @returns {Promise<number>}
 */
function bytesPerStep({ start, steps }) {
  return inNewFolder(async (folder) => {
    const store = await openBenchStore("file", folder);
    const step = saveSteps(await createRun(store, "run"), start);
    await step();
    const before = writtenBytes();
    for (let done = 0; done < steps; done += 1) await step();
    const bytes = (writtenBytes() - before) / steps;
    await store.close();
    return bytes;
  });
}

/**
 * Measures whether the bytes written by a step depend on its change and not on the board's size.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureBytes() {
  if (!existsSync(COUNTERS))
    return [plainFigure({ name: `not counted: ${COUNTERS} is missing`, unit: "bytes" }, Number.NaN)];
  const large = createBoard(plainBoard(LARGE_BYTES)).snapshot();
  const changed = { name: "changed", values: [CHANGE_BYTES] };
  const figure = async (/** @type {string} */ name, /** @type {Parameters<typeof bytesPerStep>[0]} */ options) => {
    const bytes = await bytesPerStep(options);
    return ratioFigure({ name, unit: "bytes", target: { atMost: options.steps === MANY ? 3 : 1.2 } }, [bytes], changed);
  };
  return [
    await figure("empty board", { start: undefined, steps: FEW }),
    await figure("20 MB board", { start: large, steps: FEW }),
    await figure("20 MB board, log written afresh now and then", { start: large, steps: MANY }),
  ];
}
