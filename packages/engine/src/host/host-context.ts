import { AsyncLocalStorage } from "node:async_hooks";
import type { Host } from "@switchyard/contracts";

const carried = new AsyncLocalStorage<Host>();
// What is being done with a host.
let going = 0;

/**
 * Does something during which {@link hostFromContext} finds the host, in everything it calls and awaits: for
 * extensions whose signature has no host, such as tools. An engine calls it just before it calls them. Without a host
 * it is just done. engine: WithHost.
 */
export function withHost<T>(host: Host | undefined, act: () => T): T {
  if (host === undefined) return act();
  going += 1;
  try {
    const done = carried.run(host, act);
    if (isPromise(done)) done.then(end, end);
    else endAtOnce();
    return done;
  } catch (error) {
    endAtOnce();
    throw error;
  }
}

/** What did not wait for anything is over when it returns. */
function endAtOnce(): void {
  going -= 1;
  rest();
}

/**
 * As long as a store is in use each promise of the process is followed, which takes Node 20 longer than to make it: a
 * process that only streams answers does not pay for the tools it called before.
 */
function end(): void {
  going -= 1;
  if (going === 0) setImmediate(rest).unref();
}

function rest(): void {
  if (going === 0) carried.disable();
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/**
 * The host that {@link withHost} carries here; nothing elsewhere, as in tools that say they need none (`needsHost`) and what
 * they call. Contract: never in place of a host parameter. engine: HostFromContext.
 */
export function hostFromContext(): Host | undefined {
  return carried.getStore();
}
