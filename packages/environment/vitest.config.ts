import { settings } from "@switchyard/suite/vitest-settings";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  ...settings,
  test: {
    ...settings.test,
    exclude: [...configDefaults.exclude, "test/task/**"],
    // Most of them wait for processes, containers and connections: there is room for more than processors.
    maxWorkers: 4,
  },
});
