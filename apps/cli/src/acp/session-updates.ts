import type { SessionUpdate, ToolKind } from "@agentclientprotocol/sdk";
import type { Envelope } from "@switchyard/contracts";
import { describeCall } from "../views/describe-call.ts";
import { createSubagentNames } from "../views/subagent-names.ts";

const KINDS: readonly (readonly [RegExp, ToolKind])[] = [
  [/^(?:read|list_dir|list_directory)/i, "read"],
  [/^(?:write|edit|apply_patch|replace|multiedit)/i, "edit"],
  [/^(?:grep|glob|search)/i, "search"],
  [/^(?:shell|bash|exec|run_shell)/i, "execute"],
  [/fetch/i, "fetch"],
];

/** What kind of thing a tool does, for the picture an editor shows. */
export function kindOf(tool: string): ToolKind {
  return KINDS.find(([name]) => name.test(tool))?.[1] ?? "other";
}

/** Tells the events of one run as updates of an editor's session. What subagents say is left to their end. */
export function createUpdates(): (envelope: Envelope) => SessionUpdate[] {
  const nameOf = createSubagentNames();
  let hasStreamed = false;
  return (envelope) => {
    const subagent = nameOf(envelope);
    const prefix = subagent === undefined ? "" : `${subagent}: `;
    switch (envelope.type) {
      case "assistant_text_delta":
        if (subagent !== undefined) return [];
        hasStreamed = true;
        return [message(envelope.payload.content)];
      case "assistant_text_end": {
        const isTold = hasStreamed || subagent !== undefined || envelope.payload.content === "";
        hasStreamed = subagent === undefined ? false : hasStreamed;
        return isTold ? [] : [message(envelope.payload.content)];
      }
      case "reasoning_delta":
        if (subagent !== undefined) return [];
        return [{ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: envelope.payload.content } }];
      case "tool_call_start": {
        const { id, name, arguments: args } = envelope.payload;
        const title = `${prefix}${describeCall(name, args)}`;
        const call = { toolCallId: `${prefix}${id}`, title, kind: kindOf(name), rawInput: decoded(args) };
        return [{ sessionUpdate: "tool_call", status: "in_progress", ...call }];
      }
      case "tool_call_end": {
        const { tool_call_id: id, content, is_error: isError, cancelled } = envelope.payload;
        const status = isError === true || cancelled === true ? "failed" : "completed";
        const shown = [{ type: "content" as const, content: { type: "text" as const, text: content } }];
        return [{ sessionUpdate: "tool_call_update", toolCallId: `${prefix}${id}`, status, content: shown }];
      }
      default:
        return [];
    }
  };
}

function message(text: string): SessionUpdate {
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
}

function decoded(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    const value: unknown = JSON.parse(args);
    // Of too many levels it could not be written again.
    JSON.stringify(value);
    return value;
  } catch {
    return args; // As the model wrote it.
  }
}
