import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const { resolve = {}, ssr = {}, test } = settings;

/** Tests that run once more, unchanged, under another way of running the engine. */
function again(name: string, include: string[], mode: string): TestProjectInlineConfiguration {
  const env = { SWITCHYARD_ALWAYS_RESUME: mode };
  return { resolve, ssr, test: { name, include, env, restoreMocks: true, testTimeout: 20_000 } };
}

export default defineConfig({
  ...settings,
  test: {
    ...test,
    projects: [
      { extends: true, test: { name: "agent" } },
      // An engine that is thrown away at every checkpoint, and a new one that goes on from there.
      again("always-resume", ["src/engine/{create-agent-engine,steps}.test.ts"], "1"),
      // The same with a process of its own for each of them, which is killed.
      again("fresh-process", ["src/engine/scenarios.test.ts"], "process"),
    ],
  },
});
