import { type JsonObject, listAt, type RpcMessage, type TurnScope, textAt } from "@switchyard/adapter-kit";
import type { CodexState } from "./codex-state.ts";

/**
 * Responds to a request of `codex`. Approval requests are declined, and the turn continues. A question to the user ends
 * the turn and gets an error response, like unknown requests. No permission is ever granted. See agent-adapter: refusal
 * posture.
 */
export function answerRequest(
  { method, params }: RpcMessage,
  turn: TurnScope,
  state: CodexState,
): JsonObject | undefined {
  switch (method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
      turn.permissionRefused(subjectOf(method, params));
      return { decision: "decline" };
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

function subjectOf(method: string, params: JsonObject): string {
  return textAt(params, "command") || textAt(params, "reason") || (method.split("/")[1] ?? method);
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
