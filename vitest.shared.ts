import type { ViteUserConfig } from "vitest/config";

const conditions = ["@switchyard/source", "node", "import", "module", "default"];

/** Settings every workspace's `vitest.config.ts` starts from: tests run against the sources, no build needed. */
export const shared: ViteUserConfig = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["@switchyard/source"] } },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    passWithNoTests: false,
    restoreMocks: true,
    testTimeout: 20_000,
  },
};
