import { EngineError, type Host } from "@switchyard/contracts";

/**
 * A host whose given methods are replaced; all others go to the inner one. Without an inner host the first call that
 * would go there fails with `engine.no_inner_host`. engine: HostFuncs.
 */
export function hostFuncs(inner: Host | undefined, overrides: Partial<Host>): Host {
  const innerFor = (method: keyof Host): Host => {
    if (inner === undefined) throw new EngineError("engine.no_inner_host", { method });
    return inner;
  };
  return {
    publish: overrides.publish ?? (async (envelope) => innerFor("publish").publish(envelope)),
    interrupts: overrides.interrupts ?? (() => innerFor("interrupts").interrupts()),
    askUser: overrides.askUser ?? (async (prompt, options) => innerFor("askUser").askUser(prompt, options)),
    checkpoint: overrides.checkpoint ?? (async (checkpoint) => innerFor("checkpoint").checkpoint(checkpoint)),
    reportUsage: overrides.reportUsage ?? (async (usage) => innerFor("reportUsage").reportUsage(usage)),
  };
}
