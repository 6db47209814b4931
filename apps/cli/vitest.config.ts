import { settings } from "@switchyard/suite/vitest-settings";
import { configDefaults, defineConfig } from "vitest/config";

/** Sets an environment variable and imports the files of other tests, so it needs a process of its own. */
const ALWAYS_RESUMED = "test/always-resumed-runs.test.ts";

const { resolve = {}, ssr = {}, test = {} } = settings;

export default defineConfig({
  test: {
    reporters: test.reporters ?? [],
    projects: [
      { resolve, ssr, test: { ...test, name: "cli", exclude: [...configDefaults.exclude, ALWAYS_RESUMED] } },
      // A group of its own: the files of one project stay in one process only if no file of another comes between them.
      {
        resolve,
        ssr,
        test: { ...test, name: "always-resumed", include: [ALWAYS_RESUMED], sequence: { groupOrder: 1 } },
      },
    ],
  },
});
