import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// These tests pack, install and compile, which is slow on a busy machine.
export default defineConfig({ ...settings, test: { ...settings.test, testTimeout: 300_000 } });
