import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DEPENDENCY } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { type EngineFactory, type EngineSituation, engineContract, expectInapplicable } from "@switchyard/testkit";
import { describe, test } from "vitest";
import { createRuntimeEngine, createRuntimeRegistry, loadRuntimePackage } from "../src/index.ts";

const FIXTURES = fileURLToPath(new URL("../../../fixtures/runtimes/", import.meta.url));
const TEST_MS = 300_000;

/**
 * Cases that do not apply: an engine that runs a command has no steps, does not stream, asks no user, stores no
 * checkpoints and cannot resume.
 */
const INAPPLICABLE = [
  ...["engine/steps-paired", "engine/actor-of-agent", "engine/increments", "engine/suggestion"],
  ...["engine/prompt-refused", "engine/prompt-answered", "engine/prompt-cancelled", "engine/asks-as-claimed"],
  ...["engine/checkpoint-of-run", "engine/checkpoint-plain", "engine/checkpoint-times", "engine/checkpoint-attributes"],
  ...["engine/checkpoint-apart", "engine/checkpoint-refused", "engine/checkpoint-refused-stops"],
  ...["engine/resume-as-claimed", "engine/resume-through-json", "engine/resume-board", "engine/resume-result"],
  ...["engine/resume-events", "engine/resume-drift"],
];

/** Creates an engine from the sample package whose behaviour the test selects, in one folder. */
const openEngine: EngineFactory = async () => {
  const root = await mkdtemp(join(tmpdir(), "switchyard-runtime-contract-"));
  const environment = await openLocalEnvironment({ root, env: process.env });
  const runtime = await loadRuntimePackage(join(FIXTURES, "liar"));
  const selected = createRuntimeRegistry([runtime]).select({ backend: "liar" });
  const situation = (config: Readonly<Record<string, unknown>>): EngineSituation => ({
    engine: createRuntimeEngine({
      ...{ selected, config },
      openFolder: (folder) => openLocalEnvironment({ root: folder, env: process.env }),
    }),
    dependencies: () => [[DEPENDENCY.environment, environment]],
  });
  return {
    ...situation({ outcome: { metadata: { input_tokens: 10, output_tokens: 5 } } }),
    ...{ waiting: situation({ prints: "", hangs: true }), failing: situation({ exit: 1 }) },
    // The result contains the duration, so it is not predictable.
    isPredictable: false,
    async dispose() {
      await environment[Symbol.asyncDispose]();
      await rm(root, { recursive: true });
    },
  };
};

describe.concurrent("a packaged runtime fulfils the engine contract", () => {
  for (const one of expectInapplicable(engineContract, INAPPLICABLE)) {
    test(`${one.title} (${one.id})`, { timeout: TEST_MS }, ({ skip }) =>
      one.run(openEngine, { timeoutMs: TEST_MS / 3, onSkip: skip }),
    );
  }
});
