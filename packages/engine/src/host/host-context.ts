import { AsyncLocalStorage } from "node:async_hooks";
import type { Host } from "@switchyard/contracts";

const hosts = new AsyncLocalStorage<Host>();
// Number of functions in progress that were called with a host in their context.
let activeCalls = 0;

/**
 * Calls a function with a host in its async context. In everything that the function calls and awaits, {@link
 * hostFromContext} returns the host. Intended for extensions such as tools, whose signature has no host parameter.
 * Without a host, the function is called without context. See engine: WithHost.
 */
export function withHost<T>(host: Host | undefined, act: () => T): T {
  if (host === undefined) return act();
  activeCalls += 1;
  try {
    const done = hosts.run(host, act);
    if (isPromise(done)) done.then(end, end);
    else endNow();
    return done;
  } catch (error) {
    endNow();
    throw error;
  }
}

/** Records the end of a synchronous function that was called with a host in its context. */
function endNow(): void {
  activeCalls -= 1;
  disableWhenIdle();
}

/**
 * Disables the async storage once no call uses it. While it is enabled, Node 20 tracks every promise of the process,
 * which slows streaming.
 */
function end(): void {
  activeCalls -= 1;
  if (activeCalls === 0) setImmediate(disableWhenIdle).unref();
}

function disableWhenIdle(): void {
  if (activeCalls === 0) hosts.disable();
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/**
 * Returns the host that {@link withHost} set; `undefined` elsewhere, and in tools with `needsHost: false`. Contract:
 * not a replacement for a host parameter. See engine: HostFromContext.
 */
export function hostFromContext(): Host | undefined {
  return hosts.getStore();
}
