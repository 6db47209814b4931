import { AsyncLocalStorage } from "node:async_hooks";
import type { Host } from "@switchyard/contracts";

const carried = new AsyncLocalStorage<Host>();

/**
 * Does something during which {@link hostFromContext} finds the host, in everything it calls and awaits: for
 * extensions whose signature has no host. Without a host it is just done. engine: WithHost.
 */
export function withHost<T>(host: Host | undefined, act: () => T): T {
  return host === undefined ? act() : carried.run(host, act);
}

/** The host of the running engine; nothing outside of {@link withHost}. Contract: never in place of a host parameter. engine: HostFromContext. */
export function hostFromContext(): Host | undefined {
  return carried.getStore();
}
