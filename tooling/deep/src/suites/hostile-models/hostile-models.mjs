// @ts-check
import { runHostileSuite } from "./run-hostile-suite.mjs";

/** @import { DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const hostileModelsSuite = {
  name: "hostile-models",
  title:
    "Each test case of this suite opens a model server that fails in planned ways, in one of four APIs: connections that break or stall at any byte, error statuses, and malformed, unfinished, empty, truncated, failed or unusual responses. If the retry policy allows it, a run of the agent must complete, even if its process is killed: every effect happens once, every API accepts the conversation history, and the reported usage equals the usage that the server sent. If a program uses the model client without the agent, the model client must report each failure with its code, and must not retry after a part of the response was delivered.",
  counts: { deep: 2_000, quick: 100 },
  run: (options) => runHostileSuite(options),
};
