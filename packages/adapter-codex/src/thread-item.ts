import { type JsonObject, listAt, numberAt, objectAt, type ToolEnd, textAt } from "@switchyard/adapter-kit";

/** A tool call, as a thread item describes it. */
export interface ItemTool {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Returns the tool call of an item; `undefined` for other items. */
export function toolOf(item: JsonObject): ItemTool | undefined {
  const type = textAt(item, "type");
  switch (type) {
    case "commandExecution":
      return { name: type, arguments: { command: commandOf(item), cwd: textAt(item, "cwd") } };
    case "fileChange":
      return { name: type, arguments: { changes: listAt(item, "changes") } };
    case "mcpToolCall":
      return { name: `${textAt(item, "server")}.${textAt(item, "tool")}`, arguments: objectAt(item, "arguments") };
    case "dynamicToolCall":
    case "collabAgentToolCall":
      return { name: textAt(item, "tool") || type, arguments: objectAt(item, "arguments") };
    case "webSearch":
      return { name: type, arguments: { query: textAt(item, "query") } };
    case "imageView":
      return { name: type, arguments: { path: textAt(item, "path") } };
    case "imageGeneration":
      return { name: type, arguments: { prompt: textAt(item, "revisedPrompt") } };
    default:
      return undefined;
  }
}

/** Returns the shell command that the model wrote, without the enclosing shell invocation, if the item contains it. */
function commandOf(item: JsonObject): string {
  const [action, another] = listAt(item, "commandActions");
  const command = another === undefined ? textAt(action, "command") : "";
  return command || textAt(item, "command");
}

/** Returns the outcome of a finished tool call. */
export function endOf(item: JsonObject): ToolEnd {
  const status = textAt(item, "status");
  const failed = status === "failed" || status === "declined" || item["success"] === false;
  const exitCode = numberAt(item, "exitCode") ?? 0;
  const error = textAt(item["error"], "message");
  const output = status === "declined" ? "(declined)" : outputOf(item) || error;
  return { output, isError: failed || exitCode !== 0 || error !== "", durationMs: numberAt(item, "durationMs") };
}

function outputOf(item: JsonObject): string {
  switch (textAt(item, "type")) {
    case "commandExecution":
      return textAt(item, "aggregatedOutput");
    case "fileChange":
      return listAt(item, "changes")
        .map((change) => `${textAt(objectAt(change, "kind"), "type")} ${textAt(change, "path")}`)
        .join("\n");
    case "mcpToolCall":
      return textsOf(listAt(item["result"], "content"));
    case "dynamicToolCall":
      return textsOf(listAt(item, "contentItems"));
    default:
      return "";
  }
}

function textsOf(parts: readonly unknown[]): string {
  return parts.map((part) => textAt(part, "text")).join("\n");
}
