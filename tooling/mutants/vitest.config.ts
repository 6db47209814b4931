import { settings } from "@switchyard/suite/vitest-settings";
import { configDefaults, defineConfig } from "vitest/config";

// The tests of the fixture are run by the tests of this package.
export default defineConfig({
  ...settings,
  test: { ...settings.test, exclude: [...configDefaults.exclude, "test/fixture-repository/**"] },
});
