import { EngineError, type Host } from "@switchyard/contracts";

/** A host whose inside comes later, so that middleware is checked before anything of a run exists. */
export interface DeferredHost {
  /** Passes everything on to the host it is bound to. */
  readonly host: Host;
  /** Sets what it passes everything on to. */
  bind(inner: Host): void;
}

/** Makes a host that is bound to nothing yet. */
export function createDeferredHost(): DeferredHost {
  let inner: Host | undefined;
  function bound(): Host {
    if (inner === undefined) throw new EngineError("internal.unexpected", { problem: "the host was used too early" });
    return inner;
  }
  return {
    bind: (host) => {
      inner = host;
    },
    host: Object.freeze({
      publish: async (envelope) => bound().publish(envelope),
      interrupts: () => bound().interrupts(),
      askUser: async (prompt, options) => bound().askUser(prompt, options),
      checkpoint: async (checkpoint) => bound().checkpoint(checkpoint),
      reportUsage: async (usage) => bound().reportUsage(usage),
    } satisfies Host),
  };
}
