import { EngineError, type Host } from "@switchyard/contracts";

/**
 * Host of an engine, whose implementation is set later. The host can be wrapped with middleware, and the middleware
 * checked, before the run exists.
 */
export interface DeferredHost {
  /** Host that forwards every call to the implementation. */
  readonly host: Host;
  /** Sets the implementation. */
  bind(inner: Host): void;
}

/** Creates a host without implementation. Until the implementation is set, calls reject with `internal.unexpected`. */
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
