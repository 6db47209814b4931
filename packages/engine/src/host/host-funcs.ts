import { EngineError, type Host } from "@switchyard/contracts";

/** Returns the inner host's promise unchanged, because an additional promise per event is expensive. */
function passingOn<T>(call: (given: T) => Promise<void>): (given: T) => Promise<void> {
  return (given) => {
    try {
      return call(given);
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

/**
 * Returns a host in which the given methods are replaced. All other methods are forwarded to the inner host. Without an
 * inner host, forwarding rejects with `engine.no_inner_host`. See engine: HostFuncs.
 */
export function hostFuncs(inner: Host | undefined, overrides: Partial<Host>): Host {
  const innerFor = (method: keyof Host): Host => {
    if (inner === undefined) throw new EngineError("engine.no_inner_host", { method });
    return inner;
  };
  return {
    publish: overrides.publish ?? passingOn((envelope) => innerFor("publish").publish(envelope)),
    interrupts: overrides.interrupts ?? (() => innerFor("interrupts").interrupts()),
    askUser: overrides.askUser ?? (async (prompt, options) => innerFor("askUser").askUser(prompt, options)),
    checkpoint: overrides.checkpoint ?? passingOn((checkpoint) => innerFor("checkpoint").checkpoint(checkpoint)),
    reportUsage: overrides.reportUsage ?? passingOn((usage) => innerFor("reportUsage").reportUsage(usage)),
  };
}
