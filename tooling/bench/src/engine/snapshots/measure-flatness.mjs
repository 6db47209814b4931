// @ts-check
import { ratioFigure } from "../../figure/figure.mjs";
import { cpuOf, takeTurns } from "../../figure/take-turns.mjs";
import { boardChanges } from "./board-changes.mjs";
import { plainBoard } from "./plain-board.mjs";
import { searchContender, sharingContenders } from "./snapshot-contenders.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */
/** @import { Contender } from "../../figure/take-turns.mjs" */

// Separate from contenders that copy whole boards: a garbage collection of those would dominate a change of two
// microseconds.
const ROUNDS = 21;
const [SMALL, LARGE] = [2 ** 10, 20 * 2 ** 20];
const CHANGES = 2000;
const SEARCHES = 20;
/** An item in the middle of a list, found by a search. */
const SEARCHED = "middle item of a list";
const [SNAPSHOT, DELTA] = ["snapshot", "snapshot and delta"];

/** @returns {Readonly<Record<string, Contender>>} */
function flatContenders() {
  const [small, large] = [plainBoard(SMALL), plainBoard(LARGE)];
  /** @type {Record<string, Contender>} */
  const contenders = {};
  const middle = Math.floor(large.vars.findings.length / 2);
  for (const [change, steps] of Object.entries(boardChanges(middle))) {
    const isSearched = change === SEARCHED;
    const counts = { ours: isSearched ? SEARCHES : CHANGES, mutative: 0 };
    const states = isSearched ? { large } : { small, large };
    for (const [size, state] of Object.entries(states)) {
      const { ours, "ours with its delta": delta } = sharingContenders(state, steps, counts);
      contenders[`${SNAPSHOT}: ${change}, ${size}`] = ours;
      contenders[`${DELTA}: ${change}, ${size}`] = delta;
    }
  }
  contenders["search alone"] = searchContender(large, middle, SEARCHES);
  return contenders;
}

/**
 * Measures whether a change costs the same on a board of 20 MB as on one of 1 KB. If an item must be searched for, the
 * cost is compared with the search alone.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureFlatness() {
  const costs = await takeTurns(flatContenders(), ROUNDS);
  const cpu = (/** @type {string} */ name) => cpuOf(costs(name));
  return Object.keys(boardChanges(0)).flatMap((change) =>
    [SNAPSHOT, DELTA].map((what) => {
      const label = { name: `${change}, 20 MB, ${what}`, unit: "us" };
      const large = cpu(`${what}: ${change}, large`);
      if (change === SEARCHED) {
        return ratioFigure({ ...label, target: { atMost: 2 } }, large, {
          name: "search alone",
          values: cpu("search alone"),
        });
      }
      const small = { name: "at 1 KB", values: cpu(`${what}: ${change}, small`) };
      return ratioFigure({ ...label, target: { atMost: 1.5 } }, large, small);
    }),
  );
}
