import type { Checkpoint, Engine } from "@switchyard/contracts";
import { inFreshProcesses } from "@switchyard/fresh-process";
import { inject } from "vitest";
import { type CustomEngineConfig, type CustomEngineOptions, createCustomEngine } from "../src/index.ts";

/**
 * Returns whether a process may end at a checkpoint. It must not end before an unsafe call, whose outcome would be
 * unknown.
 */
function mayEndAt({ effects }: CustomEngineConfig): (checkpoint: Checkpoint) => boolean {
  return ({ step }) => effects !== "unsafe" || step?.endsWith(" done") === true;
}

/** Creates the engine under test. In the always-resume project, each step runs in a separate process. */
export function createEngine(config: CustomEngineConfig, options: CustomEngineOptions = {}): Engine {
  const engine = createCustomEngine(config, options);
  const program = inject("engineProgram");
  if (program === undefined) return engine;
  return inFreshProcesses(engine, {
    program,
    engine: "custom",
    options: { config, options },
    mayEnd: mayEndAt(config),
  });
}
