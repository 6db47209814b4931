// @ts-check
import { ratioFigure } from "../../figure/figure.mjs";
import { cpuOf, takeTurns } from "../../figure/take-turns.mjs";
import { boardChanges } from "./board-changes.mjs";
import { plainBoard } from "./plain-board.mjs";
import { copyingContenders, searchContender, sharingContenders } from "./snapshot-contenders.mjs";

/** @import { Figure, Target } from "../../figure/figure.mjs" */
/** @import { Contender } from "../../figure/take-turns.mjs" */

const ROUNDS = 7;
const SMALL = "1 KB";
const LARGE = "20 MB";
const SIZES = { [SMALL]: 2 ** 10, "1 MB": 2 ** 20, [LARGE]: 20 * 2 ** 20 };
const MIDDLE_ITEM = "middle item of a list";

/** Targets beside mutative, by change and size. @type {Readonly<Record<string, Target>>} */
const TARGETS = {
  "one variable, 1 MB": { atMost: 1 },
  "one message appended, 1 MB": { atMost: 1 },
  "one message appended, 20 MB": { atMost: 0.1 },
  "first item of a list, 1 MB": { atMost: 1 },
  [`${MIDDLE_ITEM}, 1 MB`]: { atMost: 1 },
};

/** How often a turn copies a whole board. @type {Readonly<Record<string, number>>} */
const COPIES = { [SMALL]: 200, "1 MB": 4, [LARGE]: 1 };
/** How often a turn looks at half of a long list. @type {Readonly<Record<string, number>>} */
const SEARCHES = { [SMALL]: 200, "1 MB": 200, [LARGE]: 20 };
/** How often a turn makes a change that takes a few microseconds. */
const SMALL_CHANGES = 2000;
/** How often a turn makes a change for which a list is copied. */
const LIST_COPIES = 200;

/**
 * How often a turn makes a change: mutative copies a list for each but the first of them.
 * @param {string} change
 * @param {string} size
 * @returns {{ ours: number, mutative: number }}
 */
function countsOf(change, size) {
  const searches = SEARCHES[size] ?? 1;
  if (change === MIDDLE_ITEM) return { ours: searches, mutative: searches };
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
    contenders[`search: ${size}`] = searchContender(state, middle, SEARCHES[size] ?? 1);
    for (const [name, contender] of Object.entries(copyingContenders(plainBoard(bytes), COPIES[size] ?? 1))) {
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
 * Whether a change costs the same on a large board as on a small one; where an item has to be searched for, how far it
 * is from the search alone, which any board has to make.
 * @param {{ change: string, what: string }} place
 * @param {(name: string) => readonly number[]} cpu
 * @returns {Figure}
 */
function flatFigure({ change, what }, cpu) {
  const name = `${change}, ${LARGE}, ${what === "ours" ? "snapshot" : "snapshot and delta"}`;
  const large = cpu(`${what}: ${change}, ${LARGE}`);
  if (change === MIDDLE_ITEM) {
    const search = { name: "search alone", values: cpu(`search: ${LARGE}`) };
    return ratioFigure({ name, unit: "us", target: { atMost: 2 } }, large, search);
  }
  const small = { name: `at ${SMALL}`, values: cpu(`${what}: ${change}, ${SMALL}`) };
  return ratioFigure({ name, unit: "us", target: { atMost: 1.5 } }, large, small);
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
