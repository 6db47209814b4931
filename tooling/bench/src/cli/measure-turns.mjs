// @ts-check
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { ratioFigure } from "../figure/figure.mjs";
import { CONTENDERS, ROUNDS } from "./contenders.mjs";

/** @import { Figure } from "../figure/figure.mjs" */
/** @import { CommandCost } from "./measure-command.mjs" */
/** @import { Costs } from "./turns-process.mjs" */

const PAIRS = 7;
/** Runs commands in an isolated network, so that external requests fail. */
const OFFLINE = [
  "bwrap",
  "--dev-bind",
  "/",
  "/",
  "--unshare-net",
  "--unshare-pid",
  "--proc",
  "/proc",
  "--die-with-parent",
];

/**
 * Measures one headless turn, and one round with a command, compared with other agents' commands.
 * @returns {readonly Figure[]}
 */
export function measureTurns() {
  const [program = "", ...words] = OFFLINE;
  if (spawnSync(program, ["--version"]).error !== undefined) {
    console.error(`${program} is not installed (Debian: bubblewrap): the turns are left out.`);
    return [];
  }
  const script = join(import.meta.dirname, "turns-process.mjs");
  const argv = [...words, process.execPath, script, String(PAIRS)];
  const text = execFileSync(program, argv, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  /** @type {Record<keyof typeof CONTENDERS, Costs>} */
  const { ours, codex, pi, bare } = JSON.parse(text);
  const besides = (/** @type {string} */ name, /** @type {string} */ unit) => ({
    figure: (
      /** @type {(costs: Costs) => readonly number[]} */ of,
      /** @type {"codex" | "pi"} */ peer,
      /** @type {number} */ atMost,
    ) =>
      ratioFigure({ name, unit, target: { atMost } }, of(ours), {
        name: `${unit}, ${CONTENDERS[peer].name}`,
        values: of(peer === "codex" ? codex : pi),
      }),
  });
  const turn = (/** @type {keyof CommandCost} */ key) => (/** @type {Costs} */ costs) =>
    costs.turn.map((cost) => cost[key]);
  const inMs = (/** @type {(costs: Costs) => readonly number[]} */ of) => (/** @type {Costs} */ costs) =>
    of(costs).map((seconds) => seconds * 1_000);
  const roundCpu = (/** @type {Costs} */ costs) =>
    costs.rounds.map(({ cpu }, index) => ((cpu - (costs.turn[index]?.cpu ?? Number.NaN)) * 1_000) / ROUNDS);
  return [
    besides("one turn, time", "ms").figure(inMs(turn("wall")), "codex", 1),
    besides("one turn, CPU", "ms").figure(inMs(turn("cpu")), "codex", 1),
    besides("one turn, memory", "MB").figure(turn("peak"), "pi", 0.65),
    besides("a round with a command, CPU", "ms").figure(roundCpu, "pi", 0.5),
    // Without a target: it shows how much of a round is spent on reaching the model and running the command.
    ratioFigure({ name: "the same", unit: "ms" }, roundCpu(ours), {
      name: `ms, ${CONTENDERS.bare.name}`,
      values: roundCpu(bare),
    }),
  ];
}
