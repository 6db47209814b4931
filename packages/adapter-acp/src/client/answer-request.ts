import { type JsonObject, listAt, objectAt, type RpcMessage, type TurnScope, textAt } from "@switchyard/adapter-kit";
import type { AcpState } from "../conversation/acp-state.ts";
import { handleToolOfPermission } from "../conversation/handle-update.ts";
import { readTextFile, writeTextFile } from "./workspace-files.ts";

/**
 * Responds to a request of the agent. Permissions are decided only by the configuration, and only workspace files can
 * be accessed. A question to the user ends the turn. Other methods are reported as unknown. See agent-adapter:
 * permissions.
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
      if (state.config.isReadOnly) turn.permissionRefused(`write ${textAt(params, "path")}`);
      else turn.notify("");
      return writeTextFile(params, state);
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

/** Decides about a permission request. Only tool kinds that the configuration lists are allowed. */
function answerPermission(params: JsonObject, turn: TurnScope, state: AcpState): JsonObject {
  const toolCall = objectAt(params, "toolCall");
  const { trustAllTools, allowedKinds } = state.config;
  const call = handleToolOfPermission(toolCall, turn, state);
  const isAllowed = trustAllTools || allowedKinds.has(textAt(toolCall, "kind") || "other");
  const title = call.title || call.name;
  if (isAllowed) turn.notify(`permitted by the configuration: ${title}`);
  else {
    turn.permissionRefused(title);
    // Reports the end of a denied call, because some agents do not report it.
    turn.toolEnded(textAt(toolCall, "toolCallId"), { output: "The permission was refused.", isError: true });
    state.tools.delete(textAt(toolCall, "toolCallId"));
  }
  const optionId = optionOf(params, isAllowed ? ALLOWING : REJECTING);
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
