// @ts-check
import { runUndoSuite } from "./run-undo-suite.mjs";

/** @import { DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const undoSuite = {
  name: "undo",
  title:
    "Each case makes a repository or a folder (attributes, filters, Git LFS, submodules, inner repositories, modes, links, odd names, staged changes) and a run that changes it; of every 50th, the run and undo are processes of the command line. Undo must restore content, mode, link, index and branch of every file, or refuse and change nothing.",
  counts: { deep: 10_000, quick: 80 },
  run: (options) => runUndoSuite(options),
};
