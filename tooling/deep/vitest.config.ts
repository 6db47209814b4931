import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// Each test is hundreds of generated cases, and may share its cores with other packages' tests.
export default defineConfig({ ...settings, test: { ...settings.test, testTimeout: 600_000 } });
