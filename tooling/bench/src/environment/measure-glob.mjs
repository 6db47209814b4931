// @ts-check
import { plainFigure, ratioFigure } from "../figure/figure.mjs";
import { medianOf } from "../figure/spread.mjs";
import { compareApart } from "./compare-apart.mjs";
import { totalOf } from "./cost.mjs";
import { makeTree } from "./data/make-files.mjs";
import { withFolder } from "./data/temporary-folder.mjs";

/** @import { Figure } from "../figure/figure.mjs" */

/** Linux counts children's time in steps of 10 ms; many rounds even that out. */
const ROUNDS = 11;
const FILES = 20_000;

/**
 * Measures the CPU time of a glob including children, compared with ripgrep's own sorting and the `glob` package, and
 * the event loop delay.
 * @returns {readonly Figure[]}
 */
export function measureGlob() {
  return withFolder((root) => {
    makeTree(root);
    const costs = compareApart({ kind: "glob", rounds: ROUNDS, setting: { root } }, [
      "ours",
      "all",
      "ripgrep",
      "glob package",
    ]);
    const ours = costs("ours");
    for (const { seen } of [...costs("all"), ...costs("ripgrep"), ...costs("glob package")])
      if (seen?.["files"] !== FILES) throw new Error(`${seen?.["files"]} of ${FILES} files were found.`);
    const beside = (/** @type {string} */ name, /** @type {number} */ atMost, /** @type {string} */ title) =>
      ratioFigure({ name: "the newest 1,000", unit: "ms CPU", target: { atMost } }, ours.map(totalOf), {
        name: `ms, ${title}`,
        values: costs(name).map(totalOf),
      });
    return [
      beside("ripgrep", 1.2, "rg --sortr=modified"),
      beside("glob package", 0.2, "glob package"),
      ratioFigure({ name: "all 20,000 of them", unit: "ms CPU" }, costs("all").map(totalOf), {
        name: "ms, glob package",
        values: costs("glob package").map(totalOf),
      }),
      plainFigure(
        { name: "longest delay of the event loop", unit: "ms", target: { atMost: 20 } },
        medianOf(ours.map(({ delay }) => delay)),
      ),
    ];
  });
}
