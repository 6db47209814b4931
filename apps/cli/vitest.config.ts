import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// Isolated, because almost all time is spent in processes that the tests start: sharing modules would save little.
export default defineConfig({ ...settings, test: { ...settings.test, isolate: true } });
