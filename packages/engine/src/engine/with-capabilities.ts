import type { Capabilities, Engine } from "@switchyard/contracts";

/**
 * Returns an engine with other declared capabilities, or `undefined` if no engine is given. All calls are forwarded to
 * the given engine. {@link asResumer} and {@link suggestCheckpoint} find the wrapped engine's functions. See engine:
 * WithCapabilities.
 */
export function withCapabilities(engine: Engine, capabilities: Capabilities): Engine;
/**
 * Returns an engine with other declared capabilities, or `undefined` if no engine is given. See engine:
 * WithCapabilities.
 */
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
