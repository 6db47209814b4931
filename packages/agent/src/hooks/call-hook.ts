import { EngineError, findEngineError, messageOf } from "@switchyard/contracts";
import { callExtension } from "../session/call-extension.ts";
import type { SessionCore } from "../session/session-core.ts";
import { untilAborted } from "../session/until-aborted.ts";
import { checkHookResult } from "./check-hook-result.ts";
import type { HookContext, SessionHooks } from "./session-hooks.ts";

/** What hooks of a session are told of it. */
function hookContextOf({ id, agentId, attributes, environment, signal }: SessionCore): HookContext {
  return { sessionId: id, agentId, attributes, workingDirectory: environment.workingDirectory, signal };
}

/** A failure of a hook: its own typed error, else `hook.failed`. */
function hookError(hook: keyof SessionHooks, thrown: unknown): EngineError {
  return (
    findEngineError(thrown) ?? new EngineError("hook.failed", { hook, problem: messageOf(thrown) }, { cause: thrown })
  );
}

/** Which hook is called, and how long it may go on once the session is aborted. */
export interface HookCall {
  readonly hook: keyof SessionHooks;
  /** In milliseconds; none by default. */
  readonly graceMs?: number | undefined;
}

/** What a hook returns; rejects with a typed error, or with the reason of the abort. */
export async function callHook<T>(
  core: SessionCore,
  { hook, graceMs }: HookCall,
  call: (context: HookContext) => T | Promise<T>,
): Promise<NonNullable<T> | undefined> {
  const { signal } = core;
  try {
    // A hook that does not heed the signal must not keep a session from closing.
    const called = Promise.resolve(callExtension(core, () => call(hookContextOf(core))));
    return checkHookResult(hook, await untilAborted(called, { signal, graceMs }));
  } catch (error) {
    if (signal.aborted && error === signal.reason) throw error;
    throw hookError(hook, error);
  }
}
