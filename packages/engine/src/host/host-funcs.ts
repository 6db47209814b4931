import type { Host } from "@switchyard/contracts";

/** A host whose given methods are replaced; all others go to the inner one. engine: HostFuncs. */
export function hostFuncs(inner: Host, overrides: Partial<Host>): Host {
  return {
    publish: overrides.publish ?? ((envelope) => inner.publish(envelope)),
    interrupts: overrides.interrupts ?? (() => inner.interrupts()),
    askUser: overrides.askUser ?? ((prompt, options) => inner.askUser(prompt, options)),
    checkpoint: overrides.checkpoint ?? ((checkpoint) => inner.checkpoint(checkpoint)),
    reportUsage: overrides.reportUsage ?? ((usage) => inner.reportUsage(usage)),
  };
}
