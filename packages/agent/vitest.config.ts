import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

export default defineConfig({
  ...settings,
  test: {
    ...settings.test,
    projects: [
      { extends: true, test: { name: "agent" } },
      {
        // The engine's tests once more, unchanged, with an engine that is thrown away at every checkpoint.
        extends: true,
        test: {
          name: "always-resume",
          include: ["src/engine/{create-agent-engine,steps}.test.ts"],
          env: { SWITCHYARD_ALWAYS_RESUME: "1" },
        },
      },
    ],
  },
});
