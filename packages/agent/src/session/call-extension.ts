import type { SessionCore } from "./session-core.ts";

/** Calls a function, using the session's `callExtension` if it is set. */
export function callExtension<T>(core: SessionCore, act: () => T): T {
  return core.callExtension === undefined ? act() : core.callExtension(act);
}
