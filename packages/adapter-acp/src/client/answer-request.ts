import {
  isJsonObject,
  type JsonObject,
  listAt,
  objectAt,
  type RpcMessage,
  type TurnScope,
  textAt,
} from "@switchyard/adapter-kit";
import type { AcpState, AcpToolCall } from "../conversation/acp-state.ts";
import { handleToolOfPermission } from "../conversation/handle-update.ts";
import { readTextFile, writeTextFile } from "./workspace-files.ts";

/**
 * Responds to a request of the agent. Permissions are decided by the configuration and the user, and only workspace
 * files can be accessed. A question to the user ends the turn. Other methods are reported as unknown. See
 * agent-adapter: permissions.
 */
export function answerRequest(
  { method, params }: RpcMessage,
  turn: TurnScope,
  state: AcpState,
): JsonObject | undefined | Promise<JsonObject> {
  switch (method) {
    case "session/request_permission":
      return answerPermission(params, turn, state);
    case "fs/read_text_file":
      turn.notify("");
      return readTextFile(params, state);
    case "fs/write_text_file":
      return writeTextFile(params, turn, state);
    case "elicitation/create":
      turn.asksPerson(textAt(params, "message") || "the agent asks a question");
      return { action: "cancel" };
    default:
      turn.other(`the agent asked for ${method}, which is not offered`);
      return undefined;
  }
}

const ALLOWING = ["allow_once", "allow_always"] as const;
const REJECTING = ["reject_once", "reject_always"] as const;

/**
 * Decides about a permission request. Tool kinds that the configuration lists are allowed; the user decides the rest.
 */
async function answerPermission(params: JsonObject, turn: TurnScope, state: AcpState): Promise<JsonObject> {
  const toolCall = objectAt(params, "toolCall");
  const { trustAllTools, allowedKinds, isReadOnly } = state.config;
  const call = handleToolOfPermission(toolCall, turn, state);
  const title = call.title || call.name;
  const toolCallId = textAt(toolCall, "toolCallId");
  if (trustAllTools || allowedKinds.has(textAt(toolCall, "kind") || "other")) {
    turn.notify(`permitted by the configuration: ${title}`);
    return outcomeOf(params, ALLOWING);
  }
  const request = { toolCallId, toolName: call.name, toolArguments: permissionArguments(call, toolCall), title };
  // In a read-only session, the request is denied without asking the user.
  if (isReadOnly) turn.permissionRefused(title);
  const decision = isReadOnly ? "denied" : await turn.requestPermission(request);
  if (decision === "cancelled") return { outcome: { outcome: "cancelled" } };
  if (decision === "allowed") {
    for (const diff of diffsOf(toolCall)) state.allowedEdits.set(textAt(diff, "path"), textAt(diff, "newText"));
    return outcomeOf(params, ALLOWING);
  }
  // Reports the end of a denied call, because some agents do not report it.
  turn.toolEnded(toolCallId, { output: "The permission was refused.", isError: true });
  state.tools.delete(toolCallId);
  return outcomeOf(params, REJECTING);
}

/** Returns the arguments to show in the question: those of the call, and the edit if the request contains a diff. */
function permissionArguments({ input }: AcpToolCall, toolCall: JsonObject): JsonObject {
  const given: JsonObject = isJsonObject(input) ? input : input === undefined ? {} : { input };
  const diffs = diffsOf(toolCall);
  const [diff] = diffs;
  if (diff === undefined) return given;
  // Several diffs are shown whole, because a question about an edit can show only one file.
  if (diffs.length > 1) return { ...given, changes: diffs };
  const edit = { old_string: textAt(diff, "oldText"), new_string: textAt(diff, "newText") };
  return { ...given, file_path: textAt(diff, "path"), ...edit };
}

function diffsOf(toolCall: JsonObject): readonly unknown[] {
  return listAt(toolCall, "content").filter((content) => textAt(content, "type") === "diff");
}

function outcomeOf(params: JsonObject, kinds: readonly string[]): JsonObject {
  const optionId = optionOf(params, kinds);
  return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
}

/**
 * Returns the permission option to choose. Prefers an option for a single call over one for all calls, so that a
 * permission is never broader than requested.
 */
function optionOf(params: JsonObject, kinds: readonly string[]): string | undefined {
  const options = listAt(params, "options");
  for (const kind of kinds) {
    const found = options.find((option) => textAt(option, "kind") === kind);
    if (found !== undefined) return textAt(found, "optionId");
  }
  return undefined;
}
