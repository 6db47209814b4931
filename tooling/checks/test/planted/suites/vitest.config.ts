import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// The cache stays out of this folder, whose files are a key of the task that runs these tests.
export default defineConfig({
  ...settings,
  cacheDir: "../../../node_modules/.vite",
  test: { ...settings.test, include: ["*.spec.ts"] },
});
