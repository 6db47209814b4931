import { EngineError, findEngineError, messageOf } from "@switchyard/contracts";
import { callExtension } from "../session/call-extension.ts";
import type { SessionCore } from "../session/session-core.ts";
import { untilAborted } from "../session/until-aborted.ts";
import { checkHookResult } from "./check-hook-result.ts";
import type { HookContext, SessionHooks } from "./session-hooks.ts";

/** Returns the context that hooks receive. */
function hookContextOf({ id, agentId, attributes, environment, signal }: SessionCore): HookContext {
  return { sessionId: id, agentId, attributes, workingDirectory: environment.workingDirectory, signal };
}

/** Converts an error of a hook: its own typed error, otherwise `hook.failed`. */
function hookError(hook: keyof SessionHooks, thrown: unknown): EngineError {
  return (
    findEngineError(thrown) ?? new EngineError("hook.failed", { hook, problem: messageOf(thrown) }, { cause: thrown })
  );
}

/** Hook to call, and its grace period after the session is aborted. */
export interface HookCall {
  readonly hook: keyof SessionHooks;
  /** Grace period in milliseconds. Default: none. */
  readonly graceMs?: number | undefined;
}

/** Calls a hook and returns its result. Rejects with a typed error, or with the reason of the abort. */
export async function callHook<T>(
  core: SessionCore,
  { hook, graceMs }: HookCall,
  call: (context: HookContext) => T | Promise<T>,
): Promise<NonNullable<T> | undefined> {
  const { signal } = core;
  try {
    // A hook that ignores the signal must not keep a session from closing.
    const called = Promise.resolve(callExtension(core, () => call(hookContextOf(core))));
    return checkHookResult(hook, await untilAborted(called, { signal, graceMs }));
  } catch (error) {
    if (signal.aborted && error === signal.reason) throw error;
    throw hookError(hook, error);
  }
}
