// @ts-check
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createBoard } from "@switchyard/engine";
import { ratioFigure } from "../../figure/figure.mjs";
import { cpuOf, takeTurns } from "../../figure/take-turns.mjs";
import { plainBoard } from "../snapshots/plain-board.mjs";
import { createRun, inNewFolder, openBenchStore } from "./bench-store.mjs";
import { saveSteps } from "./save-steps.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */

const ROUNDS = 7;
const TARGET = { atMost: 1.5 };
/** Minimum work of a restore: parse, and freeze. */
const INTO_BOARD = "JSON.parse into a board";
const SIZES = { "1 MB": 2 ** 20, "20 MB": 20 * 2 ** 20 };

/**
 * @param {string} size
 * @param {number} bytes
 * @returns {Promise<readonly Figure[]>}
 */
function restoresOf(size, bytes) {
  return inNewFolder(async (folder) => {
    const state = plainBoard(bytes);
    const [file, sqlite] = [await openBenchStore("file", folder), await openBenchStore("sqlite", folder)];
    for (const store of [file, sqlite]) await saveSteps(await createRun(store, "run"), createBoard(state).snapshot())();
    const path = join(folder, "board.json");
    await writeFile(path, JSON.stringify(state));
    const read = async () => {
      const plain = JSON.parse(await readFile(path, "utf8"));
      return plain;
    };
    const costs = await takeTurns(
      {
        file: { count: 1, run: async () => void createBoard((await file.load("run"))?.board) },
        sqlite: { count: 1, run: async () => void createBoard((await sqlite.load("run"))?.board) },
        "JSON.parse": { count: 1, run: async () => void (await read()) },
        [INTO_BOARD]: { count: 1, run: async () => void createBoard(await read()) },
      },
      ROUNDS,
    );
    await Promise.all([file.close(), sqlite.close()]);
    return ["file", "sqlite"].flatMap((kind) =>
      ["JSON.parse", INTO_BOARD].map((name) => {
        const label = {
          name: `${kind} store, ${size}`,
          unit: "us",
          ...(name === INTO_BOARD ? { target: TARGET } : {}),
        };
        return ratioFigure(label, cpuOf(costs(kind)), { name, values: cpuOf(costs(name)) });
      }),
    );
  });
}

/**
 * Measures the CPU time of a load, compared with reading and parsing the same board from a JSON file.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureRestores() {
  /** @type {Figure[]} */
  const figures = [];
  for (const [size, bytes] of Object.entries(SIZES)) figures.push(...(await restoresOf(size, bytes)));
  return figures;
}
