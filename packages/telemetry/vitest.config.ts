import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// Without "module": what OpenTelemetry has behind it is for bundlers, and Node cannot load it.
const conditions = ["@switchyard/source", "node", "import", "default"];

export default defineConfig({ ...settings, resolve: { conditions }, ssr: { resolve: { conditions } } });
