import { EngineError } from "@switchyard/contracts";
import type { SessionHooks } from "./session-hooks.ts";

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** For each hook, checks whether a result is valid as a replacement for the hook's input. */
const IS_USABLE: Readonly<Record<keyof SessionHooks, (result: unknown) => boolean>> = {
  beforeModelCall: (result) => isObject(result) && "messages" in result && Array.isArray(result.messages),
  afterModelCall: (result) =>
    isObject(result) &&
    "message" in result &&
    isObject(result.message) &&
    "parts" in result.message &&
    Array.isArray(result.message.parts),
  beforeToolCall: (result) => isObject(result) && ("deny" in result || ("args" in result && isObject(result.args))),
  afterToolCall: (result) =>
    typeof result === "string" || (isObject(result) && "content" in result && typeof result.content === "string"),
};

/**
 * Checks the result of a hook, because untyped hosts may return any value. `undefined` and `null` mean no change.
 * Throws `hook.failed` for any other invalid result, so that a malformed denial does not allow a call.
 */
export function checkHookResult<T>(hook: keyof SessionHooks, result: T): NonNullable<T> | undefined {
  if (result === undefined || result === null) return undefined;
  if (IS_USABLE[hook](result)) return result;
  throw new EngineError("hook.failed", { hook, problem: "its return value is not valid for this hook" });
}
