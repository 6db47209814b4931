import type { Capabilities, Engine } from "@switchyard/contracts";

/**
 * The engine with other capabilities. Everything else goes to it; its resume check and suggestions are found through
 * {@link asResumer} and {@link suggestCheckpoint}. Of no engine it makes none. engine: WithCapabilities.
 */
export function withCapabilities(engine: Engine, capabilities: Capabilities): Engine;
/** The engine with other capabilities, where there is one. engine: WithCapabilities. */
export function withCapabilities(engine: Engine | undefined, capabilities: Capabilities): Engine | undefined;
export function withCapabilities(engine: Engine | undefined, capabilities: Capabilities): Engine | undefined {
  if (engine === undefined) return undefined;
  const claimed = Object.freeze({ ...capabilities });
  return {
    execute: (run, host, board) => engine.execute(run, host, board),
    capabilities: () => claimed,
    unwrap: () => engine,
  };
}
