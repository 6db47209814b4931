// @ts-check
import { runUndoSuite } from "./run-undo-suite.mjs";

/** @import { DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const undoSuite = {
  name: "undo",
  title:
    "Each test case of this suite creates a repository or a folder with unusual content, such as Git LFS files, submodules, links and staged changes, lets a run change it, and undoes the run. After the undo, the branch and the index of the repository and the content, mode and link target of every file must be as before the run; otherwise, the undo must be refused and change nothing.",
  counts: { deep: 10_000, quick: 25 },
  run: (options) => runUndoSuite(options),
};
