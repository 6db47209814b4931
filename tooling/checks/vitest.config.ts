import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// These tests pack, install and compile: slow where other work runs beside them.
export default defineConfig({ ...settings, test: { ...settings.test, testTimeout: 300_000 } });
