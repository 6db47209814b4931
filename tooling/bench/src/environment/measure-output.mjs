// @ts-check
import { plainFigure, ratioFigure } from "../figure/figure.mjs";
import { medianOf } from "../figure/spread.mjs";
import { compareApart } from "./compare-apart.mjs";
import { withFolder } from "./data/temporary-folder.mjs";

/** @import { Figure } from "../figure/figure.mjs" */

const ROUNDS = 7;
const BYTES = 2 ** 30;

/**
 * Measures CPU time and memory of a command that prints 1 GiB, compared with capturing head and tail through a pipe.
 * @returns {readonly Figure[]}
 */
export function measureOutput() {
  return withFolder((root) => {
    const names = ["ours", "with a listener", "pipe"];
    const costs = compareApart({ kind: "output", rounds: ROUNDS, setting: { root, bytes: BYTES } }, names);
    for (const { seen } of names.flatMap(costs))
      if (seen?.["bytes"] !== BYTES) throw new Error(`${seen?.["bytes"]} of ${BYTES} bytes were seen.`);
    const yardstick = { name: "ms, pipe", values: costs("pipe").map(({ own }) => own) };
    const cpuOf = (/** @type {string} */ name) => costs(name).map(({ own }) => own);
    return [
      ratioFigure({ name: "nobody listens", unit: "ms CPU", target: { atMost: 0.35 } }, cpuOf("ours"), yardstick),
      ratioFigure({ name: "somebody listens", unit: "ms CPU" }, cpuOf("with a listener"), yardstick),
      plainFigure(
        { name: "memory, nobody listens", unit: "MB", target: { atMost: 10 } },
        medianOf(costs("ours").map(({ grown }) => grown)),
      ),
    ];
  });
}
