// @ts-check
// `pnpm bench <area>`: measures one area and prints figure, yardstick and ratio, all from the same run.
import { parseArgs } from "node:util";
import { benchCli } from "./cli/bench-cli.mjs";
import { benchCustomEngine } from "./custom-engine/bench-custom-engine.mjs";
import { benchEngine } from "./engine/bench-engine.mjs";
import { benchEnvironment } from "./environment/bench-environment.mjs";
import { benchFanout } from "./fanout/bench-fanout.mjs";
import { benchGateway } from "./gateway/bench-gateway.mjs";
import { benchLoop } from "./loop/bench-loop.mjs";
import { benchServer } from "./server/bench-server.mjs";

/** @typedef {{ names: readonly string[], json: boolean, strict: boolean }} BenchOptions */

/** @type {Readonly<Record<string, (options: BenchOptions) => void | Promise<void>>>} */
const AREAS = {
  cli: benchCli,
  "custom-engine": benchCustomEngine,
  engine: benchEngine,
  environment: benchEnvironment,
  fanout: benchFanout,
  gateway: benchGateway,
  loop: benchLoop,
  server: benchServer,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, strict: { type: "boolean", default: false } },
});
const [area = "", ...names] = positionals;
const run = AREAS[area];
if (run === undefined) {
  console.error(`Unknown benchmark "${area}". Use one of: ${Object.keys(AREAS).join(", ")}.`);
  process.exitCode = 2;
} else {
  await run({ names, ...values });
}
