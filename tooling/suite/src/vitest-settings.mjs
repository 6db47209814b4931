// @ts-check
import { fileURLToPath } from "node:url";
import { resultReporter } from "./result-reporter.mjs";
import { cacheFolder, sharedModuleNames, sharedModules } from "./shared-modules.mjs";

/** @import { ViteUserConfig } from "vitest/config" */

const conditions = ["@switchyard/source", "node", "import", "module", "default"];

/**
 * Common settings of every workspace's `vitest.config.ts`: tests run from source, without a build.
 * @type {ViteUserConfig}
 */
export const settings = {
  cacheDir: cacheFolder(),
  plugins: [sharedModuleNames()],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["@switchyard/source"] } },
  test: {
    ...sharedModules(),
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    passWithNoTests: false,
    restoreMocks: true,
    // The files of a package share a process and its modules: loading the modules again for each file takes longer than
    // most tests. A test must not leave global state behind.
    isolate: false,
    // Generous, because other work may occupy all processors: the limit detects hanging tests, not slow ones. Set
    // another limit only for a test that must be quick, or that takes longer.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: [fileURLToPath(new URL("collect-garbage.mjs", import.meta.url))],
    reporters: ["default", resultReporter()],
  },
};
