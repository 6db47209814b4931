import type { Envelope } from "@switchyard/contracts";
import { describeCall } from "./describe-call.ts";
import { type EditLines, editLinesOf } from "./edit-lines.ts";
import { type LineStyle, renderEvent } from "./render-event.ts";
import { renderSubagentEvent } from "./render-subagent-event.ts";
import type { SubagentNames } from "./subagent-names.ts";

/**
 * Creates a function that renders the events of one run. Tool calls may run in parallel. If a result does not directly
 * follow its call, the call is shown again with the result. Each event of a subagent is one line with the subagent's
 * name.
 */
export function createEventRenderer(nameOf: SubagentNames): (envelope: Envelope, style: LineStyle) => string[] {
  const calls = new Map<string, string>();
  const edits = new Map<string, EditLines>();
  let printedLast: string | undefined;
  return (envelope, style) => {
    const subagent = nameOf(envelope);
    const render = (call?: string, edit?: EditLines): string[] =>
      subagent === undefined
        ? renderEvent(envelope, { ...style, call, edit })
        : renderSubagentEvent(envelope, { ...style, call, subagent });
    // The agent is part of the key, because call ids are unique only within an agent.
    const key = (id: string): string => `${subagent ?? ""} ${id}`;
    if (envelope.type === "tool_call_start") {
      printedLast = key(envelope.payload.id);
      const edit = editLinesOf(envelope.payload.name, envelope.payload.arguments);
      if (edit !== undefined) edits.set(printedLast, edit);
      calls.set(printedLast, describeCall(envelope.payload.name, envelope.payload.arguments));
    }
    if (envelope.type !== "tool_call_end") return render();
    const id = key(envelope.payload.tool_call_id);
    const call = printedLast === id ? undefined : calls.get(id);
    const edit = edits.get(id);
    calls.delete(id);
    edits.delete(id);
    printedLast = undefined;
    return render(call, edit);
  };
}
