import type { SessionCore } from "./session-core.ts";

/** Calls what the host brought with it the way the host wants it called. */
export function callExtension<T>(core: SessionCore, act: () => T): T {
  return core.callExtension === undefined ? act() : core.callExtension(act);
}
