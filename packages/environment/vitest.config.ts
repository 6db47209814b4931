import { settings } from "@switchyard/suite/vitest-settings";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  ...settings,
  test: { ...settings.test, exclude: [...configDefaults.exclude, "test/task/**"] },
});
