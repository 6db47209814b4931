import { setFlagsFromString } from "node:v8";

/** V8's default for the amount of bytecode that a function executes before V8 optimizes the function, in bytes. */
const USUAL_BUDGET = 67_584;
const LARGE_BUDGET = 4 * USUAL_BUDGET;

/** Whether V8 is a version for which this setting was measured. Later versions have other optimization tiers. */
const isKnown = process.versions.v8.startsWith("11.");

/**
 * Delays V8's optimizer so that only long-running code is optimized. An agent mostly waits. Over 100 turns with one
 * command each, the optimizer used a fifth of the CPU time for code that never ran often enough to pay off. Hot code is
 * optimized a few milliseconds later. Measured by `pnpm bench cli`.
 */
export function optimizeLater(): void {
  setBudget(LARGE_BUDGET);
}

/** Calls a function under V8's default settings. V8 rejects cached code that was compiled under other settings. */
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
