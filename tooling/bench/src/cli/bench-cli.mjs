// @ts-check
import { resolve } from "node:path";
import { compareCommands } from "./compare-commands.mjs";

const PAIRS = 10;

/** Most that a command may take, as a multiple of an empty Node process. */
const TARGETS = { "--version": 1.5, "--help": 2 };

/** @import { Spread } from "../figure/spread.mjs" */

/**
 * @param {Spread} spread
 * @param {number} digits
 * @returns {string}
 */
function print({ min, median, max }, digits) {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}-${max.toFixed(digits)})`;
}

/** Start-up of the built command beside `node -e 0`. */
export function benchCli() {
  const bin = resolve(import.meta.dirname, "../../../../apps/cli/dist/bin.js");
  console.log(`${PAIRS} pairs, median (min-max), seconds; yardstick: node -e 0, Node ${process.versions.node}`);
  for (const [option, target] of Object.entries(TARGETS)) {
    const figures = compareCommands([process.execPath, bin, option], [process.execPath, "-e", "0"], PAIRS);
    for (const [name, { subject, yardstick, ratio }] of Object.entries(figures)) {
      const times = `${print(subject, 3)} against ${print(yardstick, 3)}`;
      console.log(`${option.padEnd(10)}${name.padEnd(5)}${times}  ratio ${print(ratio, 2)}, target ${target}`);
    }
  }
}
