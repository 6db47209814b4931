import type { ModelRequest, ModelResponse, ToolArguments } from "@switchyard/contracts";
import { checkHookResult } from "./check-hook-result.ts";
import type { SessionHooks } from "./session-hooks.ts";

type Hook<K extends keyof SessionHooks> = NonNullable<SessionHooks[K]>;

function present<T>(hooks: readonly (T | undefined)[]): T[] {
  return hooks.flatMap((hook) => (hook === undefined ? [] : [hook]));
}

function beforeModelCall(hooks: readonly Hook<"beforeModelCall">[]): Hook<"beforeModelCall"> {
  return async (request, context) => {
    let changed: ModelRequest = request;
    for (const hook of hooks) changed = checkHookResult("beforeModelCall", await hook(changed, context)) ?? changed;
    return changed;
  };
}

function afterModelCall(hooks: readonly Hook<"afterModelCall">[]): Hook<"afterModelCall"> {
  return async (response, context) => {
    let changed: ModelResponse = response;
    for (const hook of hooks) changed = checkHookResult("afterModelCall", await hook(changed, context)) ?? changed;
    return changed;
  };
}

function beforeToolCall(hooks: readonly Hook<"beforeToolCall">[]): Hook<"beforeToolCall"> {
  return async (call, context) => {
    let args: ToolArguments = call.args;
    for (const hook of hooks) {
      const change = checkHookResult("beforeToolCall", await hook({ ...call, args }, context));
      if (change === undefined) continue;
      if ("deny" in change) return change;
      args = change.args;
    }
    return { args };
  };
}

function afterToolCall(hooks: readonly Hook<"afterToolCall">[]): Hook<"afterToolCall"> {
  return async (call, context) => {
    let { outcome } = call;
    for (const hook of hooks) {
      outcome = checkHookResult("afterToolCall", await hook({ ...call, outcome }, context)) ?? outcome;
    }
    return outcome;
  };
}

/**
 * Combines several sets of hooks. `before…` hooks run in the given order and `after…` hooks in reverse order, so that
 * the first set is the outermost. Each hook receives the result of the previous hook. The first denial ends the call.
 */
export function composeHooks(...sets: readonly SessionHooks[]): SessionHooks {
  const inside = [...sets].reverse();
  const asking = present(sets.map((set) => set.beforeModelCall?.bind(set)));
  const answered = present(inside.map((set) => set.afterModelCall?.bind(set)));
  const calling = present(sets.map((set) => set.beforeToolCall?.bind(set)));
  const called = present(inside.map((set) => set.afterToolCall?.bind(set)));
  return {
    beforeModelCall: asking.length === 0 ? undefined : beforeModelCall(asking),
    afterModelCall: answered.length === 0 ? undefined : afterModelCall(answered),
    beforeToolCall: calling.length === 0 ? undefined : beforeToolCall(calling),
    afterToolCall: called.length === 0 ? undefined : afterToolCall(called),
  };
}
