// @ts-check
// Process of the suite that runs a part of the cases: to start a process, Node stops until it has started.
import { runCases } from "./run-undo-suite.mjs";

const [seed = 0, ...indexes] = process.argv.slice(2).map(Number);
await runCases(seed, indexes.values(), { report: (row) => process.send?.(row) });
