import type { Checkpoint, Engine } from "@switchyard/contracts";
import { inFreshProcesses } from "@switchyard/fresh-process";
import { inject } from "vitest";
import { type CustomEngineConfig, type CustomEngineOptions, createCustomEngine } from "../src/index.ts";

/** Whether a process may end there: not where an unsafe call is about to be made, whose outcome nobody would know. */
function mayEndAt({ effects }: CustomEngineConfig): (checkpoint: Checkpoint) => boolean {
  return ({ step }) => effects !== "unsafe" || step?.endsWith(" done") === true;
}

/** The engine under test; where tests always resume, with a process of its own for every step. */
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
