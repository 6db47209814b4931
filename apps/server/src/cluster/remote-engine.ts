import { type Engine, EngineError } from "@switchyard/contracts";

/**
 * Creates the stand-in for an engine that only workers can run. A server uses the stand-in to accept and end runs. The
 * stand-in always reports that runs can be resumed: the worker that resumes a run checks this with the real engine.
 */
export function createRemoteEngine(name: string): Engine {
  return {
    capabilities: () => ({ supportsResume: true, emitsCheckpoint: true }),
    async execute() {
      throw new EngineError("engine.not_found", { engine: name, known: [] });
    },
  };
}
