import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// A sweep starts hundreds of processes, which is slow on a busy machine.
export default defineConfig({ ...settings, test: { ...settings.test, testTimeout: 240_000 } });
