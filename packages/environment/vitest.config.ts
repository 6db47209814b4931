import { settings } from "@switchyard/suite/vitest-settings";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  ...settings,
  // Cases of the contract that run at once: they mostly wait, and some have times to keep.
  test: { ...settings.test, maxConcurrency: 4, exclude: [...configDefaults.exclude, "test/task/**"] },
});
