// @ts-check
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { ratioFigure } from "../figure/figure.mjs";
import { targetOf } from "../targets.mjs";
import { CONTENDERS, ROUNDS } from "./contenders.mjs";

/** @import { Figure, Target } from "../figure/figure.mjs" */
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
  const { ours, ...peers } = JSON.parse(text);
  const beside = (
    /** @type {{ name: string, unit: string, target: Target }} */ label,
    /** @type {(costs: Costs) => readonly number[]} */ of,
    /** @type {Exclude<keyof typeof CONTENDERS, "ours">} */ peer,
  ) => ratioFigure(label, of(ours), { name: `${label.unit}, ${CONTENDERS[peer].name}`, values: of(peers[peer]) });
  const turn = (/** @type {keyof CommandCost} */ key) => (/** @type {Costs} */ costs) =>
    costs.turn.map((cost) => cost[key]);
  const inMs = (/** @type {(costs: Costs) => readonly number[]} */ of) => (/** @type {Costs} */ costs) =>
    of(costs).map((seconds) => seconds * 1_000);
  const roundCpu = (/** @type {Costs} */ costs) =>
    costs.rounds.map(({ cpu }, index) => ((cpu - (costs.turn[index]?.cpu ?? Number.NaN)) * 1_000) / ROUNDS);
  return [
    beside({ name: "one turn, time", unit: "ms", target: targetOf("turn-time") }, inMs(turn("wall")), "codex"),
    beside({ name: "one turn, CPU", unit: "ms", target: targetOf("turn-cpu") }, inMs(turn("cpu")), "codex"),
    beside({ name: "one turn, memory", unit: "MB", target: { atMost: 0.65 } }, turn("peak"), "pi"),
    beside({ name: "a round with a command, CPU", unit: "ms", target: targetOf("command-pi") }, roundCpu, "pi"),
    beside({ name: "the same", unit: "ms", target: targetOf("command-bare") }, roundCpu, "bare"),
  ];
}
