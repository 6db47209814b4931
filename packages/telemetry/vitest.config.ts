import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

// The condition "module" is omitted: OpenTelemetry's files for it are for bundlers, and Node.js cannot load them.
const conditions = ["@switchyard/source", "node", "import", "default"];

export default defineConfig({ ...settings, resolve: { conditions }, ssr: { resolve: { conditions } } });
