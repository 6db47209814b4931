import type { JSONObject, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { ModelRequest, ResponseFormat } from "@switchyard/contracts";
import { projectSchema } from "../projection/project-schema.ts";
import type { Dialect, FamilyRequest } from "../provider/dialect.ts";
import { textEntries } from "./family-options.ts";
import { isJsonObject } from "./plain-data.ts";
import type { PromptRules } from "./prompt-rules.ts";
import { toPrompt } from "./to-prompt.ts";
import { isSchema, toToolChoice, toTools } from "./to-tools.ts";

/** Provider options that this package handles itself and that the AI SDK does not know. */
const CLIENT_OPTIONS = new Set(["headers", "body", "tools", "betaHeaders", "autoCache"]);

function toResponseFormat(
  format: ResponseFormat,
  { responseRules }: Dialect,
): NonNullable<LanguageModelV3CallOptions["responseFormat"]> {
  if (format.type === "text") return { type: "text" };
  if (format.type === "json") return { type: "json" };
  const rules = responseRules?.(format.schema);
  const projected = rules === undefined ? undefined : projectSchema(format.schema, rules);
  const schema = projected?.kind === "projected" ? { ...projected.schema } : format.schema;
  return { type: "json", name: format.name, ...(isSchema(schema) ? { schema } : {}) };
}

/**
 * Merges provider options. Options that the caller set in the provider's naming override options derived from the
 * request.
 */
function toProviderOptions(input: FamilyRequest, dialect: Dialect): JSONObject {
  const passed: JSONObject = {};
  if (Object.keys(input.options).length === 0) return dialect.toOptions(input);
  for (const [name, value] of Object.entries(input.options)) {
    const entry = { [name]: value };
    if (!CLIENT_OPTIONS.has(name) && isJsonObject(entry)) Object.assign(passed, entry);
  }
  return { ...passed, ...dialect.toOptions(input), ...passed };
}

function rulesOf(input: FamilyRequest, dialect: Dialect, provider: string): PromptRules {
  const { model } = input.request;
  const { files, warn } = input;
  const { wireNames } = input.tools;
  return { dialect, provider, model, cacheMark: dialect.cacheMark?.(input), files, warn, wireNames };
}

/** Converts a request to call options of the AI SDK's language model interface. See unified-llm-client: request. */
export function toCallOptions(input: FamilyRequest, dialect: Dialect, provider: string): LanguageModelV3CallOptions {
  const request: ModelRequest = input.request;
  const options: LanguageModelV3CallOptions = {
    prompt: toPrompt(request.messages, rulesOf(input, dialect, provider)),
  };
  const headers = input.options["headers"];
  if (headers !== undefined) options.headers = textEntries(headers);
  // An empty object is not passed, because the AI SDK would validate it against its schema.
  const providerOptions = toProviderOptions(input, dialect);
  if (Object.keys(providerOptions).length > 0) options.providerOptions = { [dialect.namespace]: providerOptions };
  const tools = toTools(input.tools, input.options["tools"]);
  const toolChoice = toToolChoice(request, input.tools, provider);
  if (tools.length > 0) options.tools = tools;
  if (toolChoice !== undefined) options.toolChoice = toolChoice;
  if (request.responseFormat !== undefined) options.responseFormat = toResponseFormat(request.responseFormat, dialect);
  if (request.includeRaw === true) options.includeRawChunks = true;
  if (request.temperature !== undefined) options.temperature = request.temperature;
  if (request.topP !== undefined) options.topP = request.topP;
  const maxTokens = request.maxTokens ?? dialect.defaultMaxTokens?.(request.model, providerOptions);
  if (maxTokens !== undefined) options.maxOutputTokens = maxTokens;
  if (request.stopSequences !== undefined) options.stopSequences = [...request.stopSequences];
  return options;
}
