import type { SchemaRules, Sourced } from "./schema-rules.ts";

const JSON_SCHEMA = "https://json-schema.org/draft/2020-12/json-schema-validation";
const OPENAI_GUIDE = "https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas";
const GEMINI_SCHEMA = "https://googleapis.github.io/js-genai/release_docs/interfaces/types.Schema.html";
/** Page with reports of schemas that Gemini rejected as too deeply nested. Gemini documents no limit. */
const TOO_DEEP = "https://github.com/google-gemini/gemini-cli/issues/5923";
/**
 * Source: a bug report. Gemini accepts requests with more tools than other APIs do and documents no maximum, so none is
 * enforced.
 */
const NOT_DOCUMENTED = "https://github.com/decocms/studio/pull/6874";
const ANY_NAME = /^/;

const LIMITS = [
  ...["minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"],
] as const;

/** Rules for OpenAI's non-strict function tools: JSON Schema without combinations such as `anyOf` at the root. */
export const OPENAI_RULES: SchemaRules = {
  target: "OpenAI",
  keywords: { value: [...LIMITS, "title", "default", "pattern", "format"], source: JSON_SCHEMA },
  formats: { value: undefined, source: JSON_SCHEMA },
  patterns: { value: "python", source: "https://github.com/BerriAI/litellm/pull/40485" },
  types: { value: "list", source: OPENAI_GUIDE },
  enums: { value: "any", source: OPENAI_GUIDE },
  isUnionAlone: { value: false, source: OPENAI_GUIDE },
  needsType: { value: false, source: OPENAI_GUIDE },
  needsItems: { value: true, source: "https://github.com/apify/apify-mcp-server/issues/36" },
  properties: { value: "required", source: "https://github.com/enechange/collmbo/pull/384" },
  additionalProperties: { value: "schema", source: "https://github.com/promptfoo/promptfoo/pull/5965" },
  propertyName: { value: ANY_NAME, source: OPENAI_GUIDE },
  toolName: { value: /^[a-zA-Z0-9_-]{1,64}$/, source: "https://github.com/packit/ai-workflows/pull/619" },
  maxTools: { value: 128, source: "https://github.com/zed-industries/zed/issues/32946" },
  maxLevels: { value: 32, source: TOO_DEEP },
};

/** Rules for OpenAI's strict schemas: no object allows further properties, and all properties are required. */
export const OPENAI_STRICT_RULES: SchemaRules = {
  ...OPENAI_RULES,
  target: "OpenAI (strict)",
  keywords: {
    value: [
      ...["pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
      ...["minItems", "maxItems", "title"],
    ],
    source: OPENAI_GUIDE,
  },
  formats: {
    value: ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
    source: OPENAI_GUIDE,
  },
  needsType: { value: true, source: OPENAI_GUIDE },
  maxLevels: { value: 10, source: OPENAI_GUIDE },
};

/** Keywords that OpenAI does not accept in schemas of strict mode. */
export const NOT_STRICT: Sourced<readonly string[]> = {
  value: ["allOf", "oneOf", "not", "if", "dependentRequired", "dependentSchemas", "patternProperties"],
  source: OPENAI_GUIDE,
};

/**
 * Rules for Anthropic's tools: JSON Schema 2020-12 without combinations such as `anyOf` at the root, and with simple
 * property names.
 */
export const ANTHROPIC_RULES: SchemaRules = {
  target: "Anthropic",
  keywords: {
    value: [...LIMITS, "title", "default", "pattern", "format"],
    source: "https://github.com/anthropics/claude-code/issues/586",
  },
  formats: { value: undefined, source: JSON_SCHEMA },
  patterns: { value: "python", source: "https://github.com/Dokploy/mcp/issues/45" },
  types: { value: "list", source: JSON_SCHEMA },
  enums: { value: "any", source: JSON_SCHEMA },
  isUnionAlone: { value: false, source: "https://github.com/dearlordylord/huly-mcp/issues/66" },
  needsType: { value: false, source: JSON_SCHEMA },
  needsItems: { value: false, source: JSON_SCHEMA },
  properties: { value: "required", source: JSON_SCHEMA },
  additionalProperties: { value: "schema", source: JSON_SCHEMA },
  propertyName: {
    value: /^[a-zA-Z0-9_.-]{1,64}$/,
    source: "https://github.com/anthropics/claude-code/issues/79418",
  },
  toolName: { value: /^[a-zA-Z0-9_-]{1,64}$/, source: "https://github.com/dimagi/open-chat-studio/issues/4027" },
  maxTools: { value: undefined, source: "https://github.com/decocms/studio/pull/6874" },
  maxLevels: { value: 32, source: TOO_DEEP },
};

/** Rules for Gemini's function declarations: a subset of OpenAPI 3.0. */
export const GEMINI_RULES: SchemaRules = {
  target: "Gemini",
  keywords: { value: ["format", "minLength"], source: "https://github.com/pizza-bot-app/pizza-bot/issues/62" },
  formats: {
    value: ["date-time", "enum"],
    source: "https://firebase.google.com/docs/reference/js/ai.schemashared",
  },
  patterns: { value: "none", source: "https://github.com/pizza-bot-app/pizza-bot/issues/62" },
  types: { value: "nullable", source: "https://github.com/aoci-spec/aoci-code/issues/61" },
  enums: { value: "strings", source: "https://github.com/google-gemini/gemini-cli/issues/4415" },
  isUnionAlone: { value: true, source: "https://github.com/langchain-ai/langchain-google/issues/1216" },
  needsType: { value: true, source: "https://github.com/google-gemini/gemini-cli/issues/4400" },
  needsItems: { value: true, source: "https://github.com/cline/cline/issues/7339" },
  properties: { value: "not_empty", source: "https://github.com/CherryHQ/cherry-studio/issues/3270" },
  additionalProperties: { value: "none", source: "https://github.com/nanbingxyz/5ire/issues/42" },
  propertyName: { value: ANY_NAME, source: GEMINI_SCHEMA },
  toolName: { value: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/, source: "https://github.com/kaitranntt/ccs/issues/25" },
  maxTools: { value: undefined, source: NOT_DOCUMENTED },
  maxLevels: { value: 12, source: TOO_DEEP },
};

/**
 * Rules for servers with OpenAI's chat completions API: the subset of JSON Schema that all of them accept, including
 * llama.cpp, which converts schemas to grammars.
 */
export const COMPATIBLE_RULES: SchemaRules = {
  ...OPENAI_RULES,
  target: "an OpenAI-compatible server",
  patterns: { value: "anchored", source: "https://github.com/ggml-org/llama.cpp/issues/26930" },
  types: { value: "union", source: "https://github.com/hypothesi/mcp-server-tauri/pull/31" },
  toolName: { value: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/, source: "https://github.com/QwenLM/Qwen3-VL/issues/2069" },
  maxTools: { value: undefined, source: NOT_DOCUMENTED },
};
