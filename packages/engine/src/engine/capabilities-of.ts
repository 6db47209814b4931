import type { Capabilities, Engine } from "@switchyard/contracts";

/** What an engine claims; nothing when it says nothing. engine: CapabilitiesOf. */
export function capabilitiesOf(engine: Engine): Capabilities {
  return engine.capabilities?.() ?? {};
}
