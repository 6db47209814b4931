// @ts-check
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { plainFigure, ratioFigure } from "../figure/figure.mjs";
import { medianOf } from "../figure/spread.mjs";
import { compareApart } from "./compare-apart.mjs";
import { totalOf } from "./cost.mjs";
import { makeLog, makeTree } from "./data/make-files.mjs";
import { withFolder } from "./data/temporary-folder.mjs";

/** @import { Figure } from "../figure/figure.mjs" */

const ROUNDS = 7;
const CASES = [
  { name: "100,000 files, 1,000 hits", path: "tree", word: "dense", target: { atMost: 0.15 }, found: 100 },
  { name: "100,000 files, 1 hit", path: "tree", word: "sparse", target: { atMost: 1.1 }, found: 1 },
  { name: "1 GiB, dense hits", path: "log", word: "dense", target: { atMost: 0.15 }, found: 100 },
  { name: "1 GiB, 1 hit at the end", path: "log", word: "sparse", target: { atMost: 1.1 }, found: 1 },
];

/** @param {string} root @param {typeof CASES[number]} chosen @returns {readonly Figure[]} */
function measureCase(root, { name, path, word, target, found }) {
  const names = ["ours", "full scan"];
  const costs = compareApart({ kind: "grep", rounds: ROUNDS, setting: { root, path, word } }, names);
  const ours = costs("ours");
  const wrong = ours.find(({ seen }) => seen?.["matches"] !== found);
  if (wrong !== undefined) throw new Error(`${wrong.seen?.["matches"]} of ${found} lines were found.`);
  const yardstick = { name: "ms, ripgrep's full scan", values: costs("full scan").map(totalOf) };
  return [
    ratioFigure({ name, unit: "ms CPU", target }, ours.map(totalOf), yardstick),
    plainFigure(
      { name: "  of it in this process", unit: "ms", target: { atMost: 25 } },
      medianOf(ours.map(({ own }) => own)),
    ),
    plainFigure({ name: "  longest delay of the event loop", unit: "ms" }, medianOf(ours.map(({ delay }) => delay))),
  ];
}

/**
 * Measures the CPU time of a search that stops at 100 lines, including children, compared with ripgrep on everything.
 * @returns {readonly Figure[]}
 */
export function measureGrep() {
  return withFolder((root) => {
    mkdirSync(join(root, "tree"));
    makeTree(join(root, "tree"));
    mkdirSync(join(root, "log"));
    makeLog(join(root, "log/log.txt"), { bytes: 2 ** 30, every: 100 });
    return CASES.flatMap((chosen) => measureCase(root, chosen));
  });
}
