import type {
  JSONSchema7,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3ProviderTool,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";
import { EngineError, type ModelRequest, type ToolDefinition } from "@switchyard/contracts";
import { isRecord } from "../failure/error-info.ts";

/** A schema as the AI SDK names it; the provider judges what is in it. */
export function isSchema(value: unknown): value is JSONSchema7 {
  return isRecord(value);
}

function toFunctionTool(tool: ToolDefinition, strict: boolean | undefined): LanguageModelV3FunctionTool {
  const { name, description, parameters } = tool;
  const inputSchema = isSchema(parameters) ? parameters : {};
  return { type: "function", name, description, inputSchema, ...(strict === undefined ? {} : { strict }) };
}

function isToolId(value: unknown): value is `${string}.${string}` {
  return typeof value === "string" && value.includes(".");
}

/** A provider's own tool, such as `{ id: "google.google_search", name: "google_search" }`. */
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

/** The request's tools, then the provider's own ones that its options name. */
export function toTools(
  request: ModelRequest,
  own: unknown,
  strict: boolean | undefined,
): NonNullable<LanguageModelV3CallOptions["tools"]> {
  const tools = request.tools ?? [];
  return [...tools.map((tool) => toFunctionTool(tool, strict)), ...(Array.isArray(own) ? own.map(toProviderTool) : [])];
}

/** The tool choice. Errors: `llm.unsupported_tool_choice` when it asks for a tool that is not there. */
export function toToolChoice(request: ModelRequest, provider: string): LanguageModelV3ToolChoice | undefined {
  const { toolChoice, tools = [] } = request;
  if (toolChoice === undefined) return undefined;
  if (typeof toolChoice === "string") {
    if (toolChoice === "required" && tools.length === 0) {
      throw new EngineError("llm.unsupported_tool_choice", { provider, choice: "required without tools" });
    }
    return { type: toolChoice };
  }
  if (!tools.some((tool) => tool.name === toolChoice.tool)) {
    throw new EngineError("llm.unsupported_tool_choice", { provider, choice: toolChoice.tool });
  }
  return { type: "tool", toolName: toolChoice.tool };
}
