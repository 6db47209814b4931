import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

export default defineConfig(settings);
