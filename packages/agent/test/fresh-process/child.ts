// A process of its own for one step: child.mjs SCENARIO WORKSPACE STATE
import { runStep } from "./run-step.ts";

await runStep(process.argv.slice(2));
