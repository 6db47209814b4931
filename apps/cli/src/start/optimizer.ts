import { setFlagsFromString } from "node:v8";

/** How much of its code a function runs before V8 optimizes it, in bytes. */
const USUAL_BUDGET = 67_584;
const LARGE_BUDGET = 4 * USUAL_BUDGET;

/** Later versions optimize in other steps, and nobody measured this with them. */
const isKnown = process.versions.v8.startsWith("11.");

/**
 * Lets V8 optimize only what runs for long. An agent waits most of its time and does a little of everything in between: over
 * a hundred rounds with a command in each, V8's optimizer took a fifth of the CPU for code that never ran often enough to
 * pay for it. What does run often is optimized all the same, a few milliseconds later. `pnpm bench cli` measures it.
 */
export function optimizeLater(): void {
  setBudget(LARGE_BUDGET);
}

/** Does something under V8's own settings: code that was compiled under others is compiled again. */
export function underUsualSettings<T>(act: () => T): T {
  setBudget(USUAL_BUDGET);
  try {
    return act();
  } finally {
    optimizeLater();
  }
}

function setBudget(bytes: number): void {
  if (isKnown) setFlagsFromString(`--interrupt-budget=${bytes}`);
}
