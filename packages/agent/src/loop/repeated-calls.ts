import type { Part, ToolCallPart } from "@switchyard/contracts";
import { callSignature } from "../conversation/call-signature.ts";
import type { ToolOutcome } from "../pipeline/tool-outcome.ts";

const repeated = new WeakMap<ToolCallPart, string>();

/**
 * Finds calls that repeat the id, name and arguments of an earlier call of the same response. Such calls are
 * duplicates, and executing them would repeat the effects. Empty ids are ignored, as are responses that use one id for
 * different calls.
 */
export function findRepeatedCalls(parts: readonly Part[]): ReadonlySet<Part> {
  const seen = new Set<string>();
  const found = new Set<Part>();
  for (const part of parts) {
    if (part.type !== "tool_call" || part.id === "") continue;
    const key = `${part.id}\n${callSignature(part)}`;
    if (seen.has(key)) found.add(part);
    else seen.add(key);
  }
  return found;
}

/** Marks a tool call as a duplicate of the earlier call with the given id. */
export function markRepeated(call: ToolCallPart, id: string): ToolCallPart {
  repeated.set(call, id);
  return call;
}

/** Returns the outcome of a duplicate call. `undefined` for any other call. */
export function repeatedOutcome(call: ToolCallPart): ToolOutcome | undefined {
  const id = repeated.get(call);
  if (id === undefined) return undefined;
  const content = `Not executed: this call repeats the id and the arguments of the call ${id} in the same response, which was executed once. See its result.`;
  return { content, isError: true, isCancelled: true, details: { repeats: id } };
}
