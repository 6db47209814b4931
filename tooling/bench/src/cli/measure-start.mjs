// @ts-check
import { resolve } from "node:path";
import { ratioFigure } from "../figure/figure.mjs";
import { compareCommands } from "./compare-commands.mjs";

/** @import { Figure } from "../figure/figure.mjs" */

const PAIRS = 10;
const BIN = resolve(import.meta.dirname, "../../../../apps/cli/dist/bin.cjs");
/** Maximum duration of a command, as a multiple of an empty Node process. */
const TARGETS = { "--version": 1.5, "--help": 2 };

/** Measures the start-up of the built command, compared with `node -e 0`. @returns {readonly Figure[]} */
export function measureStart() {
  return Object.entries(TARGETS).flatMap(([option, atMost]) => {
    const { wall, cpu } = compareCommands([process.execPath, BIN, option], [process.execPath, "-e", "0"], PAIRS);
    return [
      ratioFigure({ name: `${option}, time`, unit: "ms", target: { atMost } }, wall.subject, {
        name: "ms, node -e 0",
        values: wall.yardstick,
      }),
      ratioFigure({ name: `${option}, CPU`, unit: "ms", target: { atMost } }, cpu.subject, {
        name: "ms, node -e 0",
        values: cpu.yardstick,
      }),
    ];
  });
}
