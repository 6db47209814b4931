// @ts-check
import { resultReporter } from "./result-reporter.mjs";

/** @import { ViteUserConfig } from "vitest/config" */

const conditions = ["@switchyard/source", "node", "import", "module", "default"];

/**
 * What every workspace's `vitest.config.ts` starts from: tests run against the sources, no build needed.
 * @type {ViteUserConfig}
 */
export const settings = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["@switchyard/source"] } },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    passWithNoTests: false,
    restoreMocks: true,
    // Generous, as other work may keep all processors busy: a test that hangs is found here, a slow one is not a fault.
    // A limit of its own is for a test that promises to be quick, or that takes longer than this.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ["default", resultReporter()],
  },
};
