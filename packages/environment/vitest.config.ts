import { settings } from "@switchyard/suite/vitest-settings";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  ...settings,
  test: {
    ...settings.test,
    // Some tests count the processes and open files of their own process.
    isolate: true,
    // These tests mostly wait, for containers, connections and time limits: two files at once also on two processors, and
    // in each so many cases of the contract.
    maxWorkers: 2,
    maxConcurrency: 4,
    exclude: [...configDefaults.exclude, "test/task/**"],
  },
});
