import type { LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { EngineError, type ModelRequest, type ProviderMetadata } from "@switchyard/contracts";
import { isRecord } from "../failure/error-info.ts";
import { RESPONSES_NORMALISER, SYNTHETIC_ITEM } from "../normalisation/responses-normaliser.ts";
import { OPENAI_RULES, OPENAI_STRICT_RULES } from "../projection/schema-rule-tables.ts";
import { createLanguageModelProvider } from "../provider/create-language-model-provider.ts";
import type { Dialect } from "../provider/dialect.ts";
import type { LlmProvider } from "../provider/llm-provider.ts";
import type { ProviderOptions } from "../provider/provider-options.ts";
import { isStrictSchema } from "../request/strictness.ts";
import { loadOpenAiFactory } from "./model.ts";
import { OPENAI_MODELS } from "./model-list.ts";
import { toOpenAiOptions } from "./options.ts";

// Matches the `id` field in the JSON text. Text inside a JSON string cannot match, because its quotes are escaped.
const SYNTHETIC_FIELD = new RegExp(`,"id":"${SYNTHETIC_ITEM}\\d+"|"id":"${SYNTHETIC_ITEM}\\d+",?`, "g");

function hasSyntheticItem({ providerMetadata }: { providerMetadata?: ProviderMetadata | undefined }): boolean {
  const id = providerMetadata?.["openai"]?.["itemId"];
  return typeof id === "string" && id.startsWith(SYNTHETIC_ITEM);
}

/** Removes generated item ids from a request. */
function withoutSyntheticItems(body: string, { messages }: ModelRequest): string {
  const isNeeded = messages.some(({ parts }) =>
    parts.some((part) => "providerMetadata" in part && hasSyntheticItem(part)),
  );
  return isNeeded ? body.replace(SYNTHETIC_FIELD, "") : body;
}

/** Statuses of an incomplete response. https://platform.openai.com/docs/api-reference/responses/object */
const UNENDED: readonly unknown[] = ["in_progress", "queued", "cancelled"];

/** Throws if a response is incomplete, because the AI SDK would treat it as complete. */
function assertEnded({ response }: LanguageModelV3GenerateResult): void {
  const body = response?.body;
  if (!isRecord(body) || !UNENDED.includes(body["status"])) return;
  throw new EngineError("llm.stream_broken", { provider: "openai", problem: "it ended without a finish reason" });
}

const OPENAI: Dialect = {
  family: "openai",
  namespace: "openai",
  keyVariable: "OPENAI_API_KEY",
  defaultBaseUrl: "https://api.openai.com/v1",
  lateSystemMessages: true,
  lastEvent: {
    word: '"response"',
    mark: /[\r\n](?:event: ?|data: ?\{"type": ?")response\.(?:completed|incomplete|failed)["\r\n]/,
    isFinal: true,
  },
  callIds: /^.{1,64}$/s,
  schemaRules: OPENAI_RULES,
  responseRules: (schema) => (isStrictSchema(schema) ? OPENAI_STRICT_RULES : OPENAI_RULES),
  strictTools: false,
  toOptions: toOpenAiOptions,
  restoreResult: assertEnded,
  rewriteBody: withoutSyntheticItems,
  normaliser: RESPONSES_NORMALISER,
  modelList: OPENAI_MODELS,
  loadFactory: loadOpenAiFactory,
};

/** Options for creating an OpenAI provider. */
export interface OpenAiProviderOptions extends ProviderOptions {
  /** Organisation to charge. */
  organization?: string | undefined;
  /** Project to charge. */
  project?: string | undefined;
}

/**
 * Creates a provider for OpenAI's models through the Responses API. Default base URL: `https://api.openai.com/v1`; any
 * other is used unchanged. Throws `config.invalid` for an invalid key or address. See unified-llm-client: client.
 */
export function createOpenAiProvider(options: OpenAiProviderOptions): LlmProvider {
  const headers: Record<string, string> = { ...options.headers };
  if (options.organization !== undefined) headers["OpenAI-Organization"] = options.organization;
  if (options.project !== undefined) headers["OpenAI-Project"] = options.project;
  return createLanguageModelProvider(OPENAI, { ...options, headers });
}
