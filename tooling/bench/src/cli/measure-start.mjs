// @ts-check
import { resolve } from "node:path";
import { ratioFigure } from "../figure/figure.mjs";
import { targetOf } from "../targets.mjs";
import { compareCommands } from "./compare-commands.mjs";

/** @import { Figure } from "../figure/figure.mjs" */

const PAIRS = 10;
const BIN = resolve(import.meta.dirname, "../../../../apps/cli/dist/bin.cjs");
const OPTIONS = {
  "--version": { wall: targetOf("version-time"), cpu: targetOf("version-cpu") },
  "--help": { wall: { atMost: 2 }, cpu: { atMost: 2 } },
};

/** Measures the start-up of the built command, compared with `node -e 0`. @returns {readonly Figure[]} */
export function measureStart() {
  return Object.entries(OPTIONS).flatMap(([option, target]) => {
    const { wall, cpu } = compareCommands([process.execPath, BIN, option], [process.execPath, "-e", "0"], PAIRS);
    return [
      ratioFigure({ name: `${option}, time`, unit: "ms", target: target.wall }, wall.subject, {
        name: "ms, node -e 0",
        values: wall.yardstick,
      }),
      ratioFigure({ name: `${option}, CPU`, unit: "ms", target: target.cpu }, cpu.subject, {
        name: "ms, node -e 0",
        values: cpu.yardstick,
      }),
    ];
  });
}
