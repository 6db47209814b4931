// @ts-check
// Runs the turns of all commands alternately, with only the loopback network: `turns-process.mjs <pairs>`. Prints their
// cost as JSON.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONTENDERS, SCRIPT } from "./contenders.mjs";
import { measureCommand } from "./measure-command.mjs";

/** @import { CommandCost } from "./measure-command.mjs" */

/** Costs of a command by case. @typedef {{ turn: CommandCost[], rounds: CommandCost[] }} Costs */

const pairs = Number(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "bench-cli-"));
const model = spawn(process.execPath, [join(import.meta.dirname, "model-process.mjs")], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [printed] = await once(model.stdout, "data");
const url = String(printed).trim();

/** @type {Record<string, Costs>} */
const costs = {};
const ids = Object.keys(CONTENDERS);
for (let pair = 0; pair <= pairs; pair += 1) {
  for (const id of pair % 2 === 0 ? ids : ids.toReversed()) {
    const contender = CONTENDERS[/** @type {keyof typeof CONTENDERS} */ (id)];
    const home = join(folder, id);
    const workspace = join(home, "work");
    mkdirSync(workspace, { recursive: true });
    const words = contender.prepare({ home, url });
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, ...contender.env };
    costs[id] ??= { turn: [], rounds: [] };
    for (const kind of /** @type {const} */ (["turn", "rounds"])) {
      const name = kind === "turn" ? "turn" : `rounds-${id}`;
      if (!(name in SCRIPT)) throw new Error(`The model knows no case ${name}.`);
      const cost = await measureCommand([...words, `CASE:${name} Do it.`], { env, cwd: workspace, expects: "Done." });
      // The first run of each warms the disk cache.
      if (pair > 0) costs[id][kind].push(cost);
    }
  }
}
model.kill();
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify(costs));
