// @ts-check
import { ratioFigure } from "../../figure/figure.mjs";
import { cpuOf, takeTurns } from "../../figure/take-turns.mjs";
import { boardChanges } from "./board-changes.mjs";
import { plainBoard } from "./plain-board.mjs";
import { copyingContenders, sharingContenders } from "./snapshot-contenders.mjs";

/** @import { Figure, Target } from "../../figure/figure.mjs" */
/** @import { Contender } from "../../figure/take-turns.mjs" */

const ROUNDS = 11;
const SMALL = "1 KB";
const LARGE = "20 MB";
const SIZES = { [SMALL]: 2 ** 10, "1 MB": 2 ** 20, [LARGE]: 20 * 2 ** 20 };
const LIST_CHANGE = "one item of a list";

/** Targets beside mutative, by change and size. @type {Readonly<Record<string, Target>>} */
const TARGETS = {
  "one variable, 1 MB": { atMost: 1 },
  "one message appended, 1 MB": { atMost: 1 },
  "one message appended, 20 MB": { atMost: 0.1 },
  [`${LIST_CHANGE}, 1 MB`]: { atMost: 1 },
};

/** How often a turn makes a change that copies a list, and copies a whole board. @type {Readonly<Record<string, { list: number, board: number }>>} */
const TURNS = { [SMALL]: { list: 200, board: 200 }, "1 MB": { list: 200, board: 4 }, [LARGE]: { list: 20, board: 1 } };
/** How often a turn makes any other change. */
const CHANGES = 200;

/** @returns {Readonly<Record<string, Contender>>} */
function allContenders() {
  /** @type {Record<string, Contender>} */
  const contenders = {};
  for (const [size, bytes] of Object.entries(SIZES)) {
    const state = plainBoard(bytes);
    const turns = TURNS[size] ?? { list: 1, board: 1 };
    for (const [change, steps] of Object.entries(boardChanges(Math.floor(state.vars.findings.length / 2)))) {
      const count = change === LIST_CHANGE ? turns.list : CHANGES;
      for (const [name, contender] of Object.entries(sharingContenders(state, steps, count))) {
        contenders[`${name}: ${change}, ${size}`] = contender;
      }
    }
    for (const [name, contender] of Object.entries(copyingContenders(plainBoard(bytes), turns.board))) {
      contenders[`${name}: ${size}`] = contender;
    }
  }
  return contenders;
}

/**
 * One change at one size beside everything else that can take a snapshot.
 * @param {{ change: string, size: string }} place
 * @param {(name: string) => readonly number[]} cpu
 * @returns {readonly Figure[]}
 */
function figuresOf({ change, size }, cpu) {
  const label = { name: `${change}, ${size}`, unit: "us" };
  const target = TARGETS[label.name];
  const ours = cpu(`ours: ${label.name}`);
  return [
    ratioFigure(target === undefined ? label : { ...label, target }, ours, {
      name: "mutative",
      values: cpu(`mutative: ${label.name}`),
    }),
    ...["structuredClone", "JSON round trip"].map((name) =>
      ratioFigure(label, ours, { name, values: cpu(`${name}: ${size}`) }),
    ),
  ];
}

/**
 * Whether a change costs the same on a large board as on a small one.
 * @param {{ change: string, what: string }} place
 * @param {(name: string) => readonly number[]} cpu
 * @returns {Figure}
 */
function flatFigure({ change, what }, cpu) {
  const label = { name: `${change}, ${LARGE}, ${what === "ours" ? "snapshot" : "snapshot and delta"}`, unit: "us" };
  const small = { name: `at ${SMALL}`, values: cpu(`${what}: ${change}, ${SMALL}`) };
  const large = cpu(`${what}: ${change}, ${LARGE}`);
  return ratioFigure(change === LIST_CHANGE ? label : { ...label, target: { atMost: 1.5 } }, large, small);
}

/**
 * CPU time of one small change and a snapshot after it, by change and size of the board.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureSnapshots() {
  const costs = await takeTurns(allContenders(), ROUNDS);
  const cpu = (/** @type {string} */ name) => cpuOf(costs(name));
  return Object.keys(boardChanges(0)).flatMap((change) => [
    ...Object.keys(SIZES).flatMap((size) => figuresOf({ change, size }, cpu)),
    ...["ours", "ours with its delta"].map((what) => flatFigure({ change, what }, cpu)),
  ]);
}
