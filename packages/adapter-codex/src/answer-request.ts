import { type JsonObject, listAt, type RpcMessage, type TurnScope, textAt } from "@switchyard/adapter-kit";
import type { CodexState } from "./codex-state.ts";

/**
 * Responds to a request of `codex`. The user decides about approval requests; without a user, they are declined, and
 * the turn continues. A question to the user ends the turn and gets an error response, like unknown requests. No
 * permission is granted on a user's behalf. See agent-adapter: refusal posture.
 */
export function answerRequest(
  { method, params }: RpcMessage,
  turn: TurnScope,
  state: CodexState,
): JsonObject | undefined | Promise<JsonObject> {
  switch (method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
      return answerApproval(method, params, { turn, state });
    case "execCommandApproval":
    case "applyPatchApproval":
      turn.permissionRefused(method);
      return { decision: { denied: { rejection: "Nobody can be asked." } } };
    case "item/tool/call":
      return refuseTool(textAt(params, "tool"), turn);
    case "item/tool/requestUserInput":
      // A subagent's question is handled like a question of the main agent, because both go to the same user.
      turn.asksPerson(questionsOf(params));
      return undefined;
    case "item/permissions/requestApproval":
      turn.asksPerson(`may it have further permissions? ${textAt(params, "reason")}`);
      return undefined;
    case "mcpServer/elicitation/request":
      turn.asksPerson(`the MCP server ${textAt(params, "serverName")} asks: ${textAt(params, "message")}`);
      return undefined;
    default:
      turn.other(state.isForeign(params) ? `${method} of a subagent` : method);
      return undefined;
  }
}

interface Answering {
  readonly turn: TurnScope;
  readonly state: CodexState;
}

/** Asks the user whether a command may run or files may change. Without a user, the request is declined. */
async function answerApproval(method: string, params: JsonObject, { turn, state }: Answering): Promise<JsonObject> {
  const toolCallId = textAt(params, "itemId");
  const tool = state.tools.get(toolCallId);
  const command = textAt(params, "command");
  const name = method.split("/")[1] ?? method;
  const decision = await turn.requestPermission({
    toolCallId,
    toolName: tool?.name ?? name,
    toolArguments: tool?.arguments ?? (command === "" ? {} : { command, cwd: textAt(params, "cwd") }),
    title: command || textAt(params, "reason") || name,
    reason: textAt(params, "reason") || undefined,
  });
  return { decision: decision === "allowed" ? "accept" : decision === "denied" ? "decline" : "cancel" };
}

function refuseTool(name: string, turn: TurnScope): JsonObject {
  turn.toolRefused(name);
  const text = `The tool ${name} is not offered.`;
  return { success: false, output: text, contentItems: [{ type: "inputText", text }] };
}

function questionsOf(params: JsonObject): string {
  const questions = listAt(params, "questions").map((question) => textAt(question, "question"));
  return questions.filter((text) => text !== "").join("\n") || "the agent asks a question";
}
