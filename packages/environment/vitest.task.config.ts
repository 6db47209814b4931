import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// Starts the built command, so it is a task of its own: the others answer from the cache when only the command changed.
export default defineConfig({ ...settings, test: { ...settings.test, include: ["test/task/**/*.test.ts"] } });
