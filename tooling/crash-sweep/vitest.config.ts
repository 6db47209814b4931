import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// A sweep is hundreds of processes: slow where other work runs beside them.
export default defineConfig({ ...settings, test: { ...settings.test, testTimeout: 240_000 } });
