// @ts-check
import { runHostileSuite } from "./run-hostile-suite.mjs";

/** @import { DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const hostileModelsSuite = {
  name: "hostile-models",
  title:
    "Each case is a model server that fails by a plan in one of four APIs: connections that break or stall at any byte, statuses, malformed, unfinished, empty, cut-off, failed and odd responses. A run of the agent must complete if the plan can be survived within the retry policy, with effects once, histories that every API accepts, and usage as the server reported it; also if its process is killed. The client alone must report each failure by its code, and must not retry after a part of a response was delivered.",
  counts: { deep: 2_000, quick: 200 },
  run: (options) => runHostileSuite(options),
};
