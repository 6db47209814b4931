import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// The whole site is built once, which takes about 40 s on a free machine and minutes on a busy one.
export default defineConfig({ ...settings, test: { ...settings.test, testTimeout: 300_000, hookTimeout: 600_000 } });
