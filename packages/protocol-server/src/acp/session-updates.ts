import type { SessionUpdate, ToolKind } from "@agentclientprotocol/sdk";
import type { Envelope } from "@switchyard/contracts";
import { createSubagentNames, describeCall } from "@switchyard/terminal";
import { diffOf, locationsOf, plannedDiff } from "./file-changes.ts";
import type { FileEdit } from "./with-editor-files.ts";

const KINDS: readonly (readonly [RegExp, ToolKind])[] = [
  [/^(?:read|list_dir|list_directory)/i, "read"],
  [/^(?:write|edit|apply_patch|replace|multiedit|create|str_replace|filechange)/i, "edit"],
  [/^(?:grep|glob|search)/i, "search"],
  [/^(?:shell|bash|exec|run_shell)/i, "execute"],
  [/fetch/i, "fetch"],
];

/** Returns the ACP kind of a tool, which determines the icon that editors show. */
export function kindOf(tool: string): ToolKind {
  return KINDS.find(([name]) => name.test(tool))?.[1] ?? "other";
}

/** Options of `createUpdates`. */
export interface UpdatesOptions {
  /** Folder of the session, against which relative paths are resolved. */
  readonly root: string;
  /**
   * Returns the edits that were made to the given files since the last call for the same files. Default: returns none.
   */
  readonly takeEdits?: ((paths: readonly string[]) => readonly FileEdit[]) | undefined;
}

/** Creates a function that converts the events of one run to session updates. Omits the text of subagents. */
export function createUpdates({ root, takeEdits = () => [] }: UpdatesOptions): (envelope: Envelope) => SessionUpdate[] {
  const nameOf = createSubagentNames();
  const running = new Map<
    string,
    { readonly args: unknown; readonly paths: readonly string[]; readonly kind: ToolKind }
  >();
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
        const isSent = hasStreamed || subagent !== undefined || envelope.payload.content === "";
        hasStreamed = subagent === undefined ? false : hasStreamed;
        return isSent ? [] : [message(envelope.payload.content)];
      }
      case "reasoning_delta":
        if (subagent !== undefined) return [];
        return [{ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: envelope.payload.content } }];
      case "tool_call_start": {
        const { id, name, arguments: args } = envelope.payload;
        const title = `${prefix}${describeCall(name, args)}`;
        const [toolCallId, kind, rawInput] = [`${prefix}${id}`, kindOf(name), decoded(args)];
        const locations = ABOUT_FILES.has(kind) ? locationsOf(rawInput, root) : [];
        running.set(toolCallId, { args: rawInput, paths: locations.map(({ path }) => path), kind });
        const call = { toolCallId, title, kind, rawInput, ...(locations.length === 0 ? {} : { locations }) };
        return [{ sessionUpdate: "tool_call", status: "in_progress", ...call }];
      }
      case "tool_call_end": {
        const { tool_call_id: id, content, is_error: isError, cancelled } = envelope.payload;
        const status = isError === true || cancelled === true ? "failed" : "completed";
        const toolCallId = `${prefix}${id}`;
        const call = running.get(toolCallId);
        running.delete(toolCallId);
        const edits = takeEdits(call?.paths ?? []);
        const isPlanned = edits.length === 0 && call?.kind === "edit" && status === "completed";
        const diffs = isPlanned ? plannedDiff(call.args, root) : edits.flatMap(diffOf);
        const shown = { type: "content" as const, content: { type: "text" as const, text: content } };
        return [{ sessionUpdate: "tool_call_update", toolCallId, status, content: [...diffs, shown] }];
      }
      default:
        return [];
    }
  };
}

function message(text: string): SessionUpdate {
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
}

/** Kinds of tools whose arguments contain file paths. */
const ABOUT_FILES: ReadonlySet<ToolKind> = new Set<ToolKind>(["read", "edit", "delete", "move"]);

/** Decodes the JSON arguments of a tool call. Returns the text itself if it is not JSON. */
export function decoded(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    const value: unknown = JSON.parse(args);
    // `JSON.parse` accepts deeply nested values that cannot be serialised again. Serialising throws for them.
    JSON.stringify(value);
    return value;
  } catch {
    return args; // Not JSON.
  }
}
