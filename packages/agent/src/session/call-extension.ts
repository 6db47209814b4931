import type { SessionCore } from "./session-core.ts";

/** Calls a function of the host through `callExtension`, if set. */
export function callExtension<T>(core: SessionCore, act: () => T): T {
  return core.callExtension === undefined ? act() : core.callExtension(act);
}
