// @ts-check
import { ratioFigure } from "../../figure/figure.mjs";
import { cpuOf, takeTurns } from "../../figure/take-turns.mjs";
import { boardChanges } from "./board-changes.mjs";
import { plainBoard } from "./plain-board.mjs";
import { copyingContenders, sharingContenders } from "./snapshot-contenders.mjs";

/** @import { Figure, Target } from "../../figure/figure.mjs" */
/** @import { Contender } from "../../figure/take-turns.mjs" */

const ROUNDS = 7;
const SIZES = { "1 KB": 2 ** 10, "1 MB": 2 ** 20, "20 MB": 20 * 2 ** 20 };

/** Targets compared with mutative, by change and size. @type {Readonly<Record<string, Target>>} */
const TARGETS = {
  "one variable, 1 MB": { atMost: 1 },
  "one message appended, 1 MB": { atMost: 1 },
  "one message appended, 20 MB": { atMost: 0.1 },
  "first item of a list, 1 MB": { atMost: 1 },
  "middle item of a list, 1 MB": { atMost: 1 },
};

/** Number of whole-board copies per turn. @type {Readonly<Record<string, number>>} */
const COPIES = { "1 KB": 200, "1 MB": 4, "20 MB": 1 };
/** Number of searches through half of a long list per turn. @type {Readonly<Record<string, number>>} */
const SEARCHES = { "1 KB": 200, "1 MB": 200, "20 MB": 20 };
/** Number of changes per turn that take a few microseconds. */
const SMALL_CHANGES = 2000;
/** Number of changes per turn that copy a list. */
const LIST_COPIES = 200;

/**
 * Returns the number of changes per turn: mutative copies a list for each change but the first.
 * @param {string} change
 * @param {string} size
 * @returns {{ ours: number, mutative: number }}
 */
function countsOf(change, size) {
  const searches = SEARCHES[size] ?? 1;
  if (change === "middle item of a list") return { ours: searches, mutative: searches };
  return { ours: SMALL_CHANGES, mutative: change === "one variable" ? SMALL_CHANGES : LIST_COPIES };
}

/** @returns {Readonly<Record<string, Contender>>} */
function allContenders() {
  /** @type {Record<string, Contender>} */
  const contenders = {};
  for (const [size, bytes] of Object.entries(SIZES)) {
    const state = plainBoard(bytes);
    const middle = Math.floor(state.vars.findings.length / 2);
    for (const [change, steps] of Object.entries(boardChanges(middle))) {
      for (const [name, contender] of Object.entries(sharingContenders(state, steps, countsOf(change, size)))) {
        contenders[`${name}: ${change}, ${size}`] = contender;
      }
    }
    for (const [name, contender] of Object.entries(copyingContenders(plainBoard(bytes), COPIES[size] ?? 1))) {
      contenders[`${name}: ${size}`] = contender;
    }
  }
  return contenders;
}

/**
 * Returns the figures of one change at one size, compared with all other snapshot methods.
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
 * Measures the CPU time of one small change and a snapshot after it, by change and board size.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureSnapshots() {
  const costs = await takeTurns(allContenders(), ROUNDS);
  const cpu = (/** @type {string} */ name) => cpuOf(costs(name));
  return Object.keys(boardChanges(0)).flatMap((change) =>
    Object.keys(SIZES).flatMap((size) => figuresOf({ change, size }, cpu)),
  );
}
