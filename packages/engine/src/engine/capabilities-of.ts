import type { Capabilities, Engine } from "@switchyard/contracts";

/**
 * Returns the capabilities that an engine declares; an empty record if the engine declares none. See engine:
 * CapabilitiesOf.
 */
export function capabilitiesOf(engine: Engine): Capabilities {
  return engine.capabilities?.() ?? {};
}
