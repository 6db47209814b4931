import { EngineError, findEngineError, messageOf } from "@switchyard/contracts";
import { callExtension } from "../session/call-extension.ts";
import type { SessionCore } from "../session/session-core.ts";
import { untilAborted } from "../session/until-aborted.ts";
import { checkHookResult } from "./check-hook-result.ts";
import type { HookContext, SessionHooks } from "./session-hooks.ts";

/** Returns the context passed to hooks. */
function hookContextOf({ id, agentId, attributes, environment, signal }: SessionCore): HookContext {
  return { sessionId: id, agentId, attributes, workingDirectory: environment.workingDirectory, signal };
}

/** Returns the `EngineError` that a hook threw, or `hook.failed` for any other error. */
function hookError(hook: keyof SessionHooks, thrown: unknown): EngineError {
  return (
    findEngineError(thrown) ?? new EngineError("hook.failed", { hook, problem: messageOf(thrown) }, { cause: thrown })
  );
}

/** Hook to call, and the time that it may continue after the session is aborted. */
export interface HookCall {
  readonly hook: keyof SessionHooks;
  /** Grace period after the session is aborted, in milliseconds. Default: none. */
  readonly graceMs?: number | undefined;
}

/** Calls a hook and resolves with its result. Rejects with an `EngineError`, or with the abort reason. */
export async function callHook<T>(
  core: SessionCore,
  { hook, graceMs }: HookCall,
  call: (context: HookContext) => T | Promise<T>,
): Promise<NonNullable<T> | undefined> {
  const { signal } = core;
  try {
    // A hook that ignores the signal must not prevent the session from closing.
    const called = Promise.resolve(callExtension(core, () => call(hookContextOf(core))));
    return checkHookResult(hook, await untilAborted(called, { signal, graceMs }));
  } catch (error) {
    if (signal.aborted && error === signal.reason) throw error;
    throw hookError(hook, error);
  }
}
