import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";

/** The engine's tests, which also run with an engine that does not live from one checkpoint to the next. */
const ENGINE_TESTS = ["src/engine/{create-agent-engine,steps}.test.ts"];

const { resolve = {}, ssr = {}, test } = settings;

export default defineConfig({
  ...settings,
  test: {
    ...test,
    projects: [
      { extends: true, test: { name: "agent" } },
      {
        resolve,
        ssr,
        test: {
          name: "always-resume",
          include: ENGINE_TESTS,
          restoreMocks: true,
          testTimeout: 20_000,
          env: { SWITCHYARD_ALWAYS_RESUME: "1" },
        },
      },
    ],
  },
});
