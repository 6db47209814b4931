// @ts-check
import { runUndoSuite } from "./run-undo-suite.mjs";

/** @import { DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const undoSuite = {
  name: "undo",
  title:
    "Each test case of this suite creates a repository or a folder with attributes, filters, Git LFS, submodules, inner repositories, modes, links, unusual names and staged changes, and a run that changes it. In every 50th test case, the `switchyard` command performs the run and the undo. Undo must restore the branch and the index of the repository and the content, mode and link target of every file, or refuse and change nothing.",
  counts: { deep: 10_000, quick: 50 },
  run: (options) => runUndoSuite(options),
};
