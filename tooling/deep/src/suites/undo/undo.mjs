// @ts-check
import { runUndoSuite } from "./run-undo-suite.mjs";

/** @import { DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const undoSuite = {
  name: "undo",
  title:
    "Each case creates a repository or folder with attributes, filters, Git LFS, submodules, inner repositories, modes, links, unusual names and staged changes, and a run that changes it. In every 50th case, the run and the undo are performed by the `switchyard` command. Undo must restore content, mode, link, index and branch of every file, or refuse and change nothing.",
  counts: { deep: 10_000, quick: 50 },
  run: (options) => runUndoSuite(options),
};
