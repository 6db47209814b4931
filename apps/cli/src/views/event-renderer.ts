import type { Envelope } from "@switchyard/contracts";
import { describeCall } from "./describe-call.ts";
import { type LineStyle, renderEvent } from "./render-event.ts";

/**
 * Renders the events of one run in their order. Calls run side by side: a result that does not follow its own call
 * repeats what the call was.
 */
export function createEventRenderer(): (envelope: Envelope, style: LineStyle) => string[] {
  const calls = new Map<string, string>();
  let printedLast: string | undefined;
  return (envelope, style) => {
    if (envelope.type === "tool_call_start") {
      printedLast = envelope.payload.id;
      calls.set(printedLast, describeCall(envelope.payload.name, envelope.payload.arguments));
    }
    if (envelope.type !== "tool_call_end") return renderEvent(envelope, style);
    const { tool_call_id: id } = envelope.payload;
    const call = printedLast === id ? undefined : calls.get(id);
    calls.delete(id);
    printedLast = undefined;
    return renderEvent(envelope, { ...style, call });
  };
}
