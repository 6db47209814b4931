import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// The cache is outside this folder, whose files are inputs of the task that runs these tests.
export default defineConfig({
  ...settings,
  cacheDir: "../../../node_modules/.vite",
  test: { ...settings.test, include: ["*.spec.ts"] },
});
