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
    testTimeout: 20_000,
    // As long as a test: on a loaded machine a second is nothing.
    expect: { poll: { timeout: 15_000 } },
    reporters: ["default", resultReporter()],
  },
};
