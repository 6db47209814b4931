import type {
  JSONSchema7,
  LanguageModelV3CallOptions,
  LanguageModelV3ProviderTool,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";
import { EngineError, type ModelRequest } from "@switchyard/contracts";
import { isRecord } from "../failure/error-info.ts";
import type { ProjectedTools } from "../projection/project-tools.ts";

/** Type guard for a schema in the AI SDK's type. Checks no content, because the provider validates the schema. */
export function isSchema(value: unknown): value is JSONSchema7 {
  return isRecord(value);
}

function isToolId(value: unknown): value is `${string}.${string}` {
  return typeof value === "string" && value.includes(".");
}

/** Converts a provider tool, such as `{ id: "google.google_search", name: "google_search" }`. */
function toProviderTool(value: unknown): LanguageModelV3ProviderTool {
  const { id, name, args } = isRecord(value) ? value : {};
  if (!isToolId(id) || typeof name !== "string") {
    throw new EngineError("config.invalid", {
      field: "providerOptions tools",
      problem: "each one needs an id and a name",
    });
  }
  return { type: "provider", id, name, args: isRecord(args) ? { ...args } : {} };
}

/** Returns the request's tools, then the provider tools in its options. */
export function toTools(tools: ProjectedTools, custom: unknown): NonNullable<LanguageModelV3CallOptions["tools"]> {
  return [...tools.tools, ...(Array.isArray(custom) ? custom.map(toProviderTool) : [])];
}

/** Converts the tool choice. Throws `llm.unsupported_tool_choice` if the chosen tool is not sent. */
export function toToolChoice(
  { toolChoice }: ModelRequest,
  { tools, wireNames }: ProjectedTools,
  provider: string,
): LanguageModelV3ToolChoice | undefined {
  if (toolChoice === undefined) return undefined;
  if (typeof toolChoice === "string") {
    if (toolChoice === "required" && tools.length === 0) {
      throw new EngineError("llm.unsupported_tool_choice", { provider, choice: "required without tools" });
    }
    return { type: toolChoice };
  }
  const toolName = wireNames.get(toolChoice.tool);
  if (toolName === undefined) {
    throw new EngineError("llm.unsupported_tool_choice", { provider, choice: toolChoice.tool });
  }
  return { type: "tool", toolName };
}
