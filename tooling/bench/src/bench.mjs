// @ts-check
// `pnpm bench cli`: measures one area and prints figure, yardstick and ratio, all from the same run.
import { benchCli } from "./bench-cli.mjs";

/** @type {Readonly<Record<string, () => void>>} */
const AREAS = { cli: benchCli };

const [name = ""] = process.argv.slice(2);
const run = AREAS[name];
if (run === undefined) {
  console.error(`Unknown benchmark "${name}". Use one of: ${Object.keys(AREAS).join(", ")}.`);
  process.exitCode = 2;
} else {
  run();
}
