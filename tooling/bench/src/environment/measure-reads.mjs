// @ts-check
import { join } from "node:path";
import { plainFigure, ratioFigure } from "../figure/figure.mjs";
import { medianOf } from "../figure/spread.mjs";
import { compareApart } from "./compare-apart.mjs";
import { makeLog } from "./data/make-files.mjs";
import { withFolder } from "./data/temporary-folder.mjs";

/** @import { Figure } from "../figure/figure.mjs" */

const ROUNDS = 7;
const NAMES = ["ours", "later", "scan", "readline"];

/**
 * Measures CPU time and memory of a window of lines deep in a large file, and of a second one nearby.
 * @returns {readonly Figure[]}
 */
export function measureReads() {
  return withFolder((root) => {
    makeLog(join(root, "log.txt"), { bytes: 500_000_000, every: Number.POSITIVE_INFINITY });
    const setting = { root, line: 4_000_000, count: 200 };
    const costs = compareApart({ kind: "reads", rounds: ROUNDS, setting }, NAMES);
    const [chars] = costs("readline").map(({ seen }) => seen?.["chars"]);
    for (const { seen } of NAMES.flatMap(costs))
      if (seen?.["chars"] !== chars) throw new Error(`${seen?.["chars"]} of ${chars} characters were read.`);
    const own = (/** @type {string} */ name) => costs(name).map((cost) => cost.own);
    const beside = (/** @type {string} */ name, /** @type {number} */ atMost) =>
      ratioFigure({ name: "first window", unit: "ms CPU", target: { atMost } }, own("ours"), {
        name: `ms, ${name}`,
        values: own(name),
      });
    return [
      beside("scan", 1.1),
      beside("readline", 0.1),
      ratioFigure({ name: "later window", unit: "ms CPU", target: { atMost: 0.05 } }, own("later"), {
        name: "ms, first window",
        values: own("ours"),
      }),
      plainFigure(
        { name: "memory", unit: "MB", target: { atMost: 15 } },
        medianOf(costs("ours").map(({ grown }) => grown)),
      ),
    ];
  });
}
