import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// Each test runs hundreds of generated cases, possibly on a busy machine.
export default defineConfig({ ...settings, test: { ...settings.test, testTimeout: 600_000 } });
