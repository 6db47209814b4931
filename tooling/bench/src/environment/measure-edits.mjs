// @ts-check
import { join } from "node:path";
import { ratioFigure } from "../figure/figure.mjs";
import { compareApart } from "./compare-apart.mjs";
import { totalOf } from "./cost.mjs";
import { makeLog } from "./data/make-files.mjs";
import { withFolder } from "./data/temporary-folder.mjs";

/** @import { Figure } from "../figure/figure.mjs" */

const ROUNDS = 7;

/** Last line of the file. */
const LINE = "a sparse needle";

/**
 * Measures the CPU time of changing one line with the agent's tools, compared with a file copy, codex, and an array of
 * lines.
 * @returns {readonly Figure[]}
 */
export function measureEdits() {
  return withFolder((root) => {
    makeLog(join(root, "big.txt"), { bytes: 20_000_000, every: 100 });
    // Each process changes the file and changes it back, so that all find the same file.
    const setting = { root, line: LINE, changed: "a needle found" };
    const names = ["edit", "patch", "codex", "copy", "line array"];
    const costs = compareApart({ kind: "edits", rounds: ROUNDS, setting }, names);
    const total = (/** @type {string} */ name) => costs(name).map(totalOf);
    return ["edit", "patch"].flatMap((name) => {
      const label = { name: name === "edit" ? "edit_file" : "apply_patch", unit: "ms CPU" };
      return [
        ratioFigure({ ...label, target: { atMost: 2 } }, total(name), { name: "ms, copy", values: total("copy") }),
        ratioFigure({ ...label, target: { atMost: 0.3 } }, total(name), { name: "ms, codex", values: total("codex") }),
        ratioFigure(label, total(name), { name: "ms, line array", values: total("line array") }),
      ];
    });
  });
}
