/** An object of JSON. */
export type SchemaKeywords = Readonly<Record<string, unknown>>;

/** The APIs whose documented rules are listed. */
export const TARGETS = ["openai", "anthropic", "gemini", "compatible"] as const;

/** One of them. */
export type Target = (typeof TARGETS)[number];

/** Returns whether a value is a JSON object. */
export function isSchema(value: unknown): value is SchemaKeywords {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A documented rule about schemas, and its source. */
interface CheckedRule {
  readonly source: string;
  readonly holds: (schema: SchemaKeywords, position: { readonly isRoot: boolean; readonly level: number }) => boolean;
}

/** Types of JSON Schema. */
export const TYPES: readonly string[] = ["string", "number", "integer", "boolean", "object", "array", "null"];
const LOOK_AROUND = /\(\?(?:[=!]|<[=!])/;

const onlyKeys =
  (...keys: readonly string[]): CheckedRule["holds"] =>
  (schema) =>
    Object.keys(schema).every((key) => keys.includes(key));
const without =
  (...keys: readonly string[]): CheckedRule["holds"] =>
  (schema, { isRoot }) =>
    !isRoot || keys.every((key) => !(key in schema));
const isObjectAtRoot: CheckedRule["holds"] = ({ type }, { isRoot }) => !isRoot || type === "object";
const hasValidTypes: CheckedRule["holds"] = ({ type }) =>
  type === undefined || (Array.isArray(type) ? type : [type]).every((name) => TYPES.includes(String(name)));
const hasNoLookAround: CheckedRule["holds"] = ({ pattern }) =>
  pattern === undefined || (!LOOK_AROUND.test(String(pattern)) && !/\\[pPkZAG1-9]/.test(String(pattern)));
const isDraft2020: CheckedRule["holds"] = (schema) =>
  ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems"].every(
    (key) => schema[key] === undefined || typeof schema[key] === "number",
  ) &&
  !Array.isArray(schema["items"]) &&
  (schema["required"] === undefined || Array.isArray(schema["required"])) &&
  (schema["enum"] === undefined || (Array.isArray(schema["enum"]) && schema["enum"].length > 0)) &&
  (schema["anyOf"] === undefined || (Array.isArray(schema["anyOf"]) && schema["anyOf"].length > 0));

/**
 * The constructs that each API documents as refused, or for which refusals were reported. Written independently of the
 * tables under test.
 */
const RULES: Readonly<Record<Target, readonly CheckedRule[]>> = {
  openai: [
    { source: "https://github.com/langchain-ai/langchainjs/issues/9804", holds: isObjectAtRoot },
    {
      source: "https://github.com/nspady/google-calendar-mcp/issues/39",
      holds: without("oneOf", "anyOf", "allOf", "enum", "not"),
    },
    {
      source: "https://github.com/enechange/collmbo/pull/384",
      holds: (schema) => schema["type"] !== "object" || isSchema(schema["properties"]),
    },
    {
      source: "https://github.com/spacelift-io/spacectl/issues/402",
      holds: (schema) => schema["type"] !== "array" || isSchema(schema["items"]),
    },
    { source: "https://github.com/anomalyco/opencode/issues/32073", holds: hasNoLookAround },
    { source: "https://github.com/makenotion/notion-mcp-server/issues/102", holds: (schema) => !("allOf" in schema) },
    { source: "https://github.com/smallmain/vscode-unify-chat-provider/issues/162", holds: hasValidTypes },
    { source: "https://json-schema.org/draft/2020-12/schema", holds: isDraft2020 },
  ],
  anthropic: [
    { source: "https://github.com/anthropics/claude-code/issues/40075", holds: without("oneOf", "allOf", "anyOf") },
    { source: "https://github.com/dearlordylord/huly-mcp/issues/66", holds: isObjectAtRoot },
    {
      source: "https://github.com/anthropics/claude-code/issues/79418",
      holds: ({ properties }) => Object.keys(Object(properties)).every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name)),
    },
    {
      source: "https://github.com/decocms/studio/pull/6874",
      holds: ({ required }) =>
        required === undefined ||
        (Array.isArray(required) && required.every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(String(name)))),
    },
    { source: "https://github.com/Dokploy/mcp/issues/74", holds: isDraft2020 },
    { source: "https://github.com/Dokploy/mcp/issues/45", holds: hasNoLookAround },
    { source: "https://github.com/anthropics/claude-code/issues/586", holds: hasValidTypes },
  ],
  gemini: [
    {
      source: "https://googleapis.github.io/js-genai/release_docs/interfaces/types.Schema.html",
      holds: onlyKeys(
        "type",
        "format",
        "description",
        "nullable",
        "enum",
        "items",
        "properties",
        "required",
        "anyOf",
        "minLength",
      ),
    },
    { source: "https://github.com/aoci-spec/aoci-code/issues/61", holds: ({ type }) => !Array.isArray(type) },
    {
      source: "https://github.com/google-gemini/gemini-cli/issues/4400",
      holds: (schema) => "type" in schema || "anyOf" in schema,
    },
    {
      source: "https://github.com/langchain-ai/langchain-google/issues/1216",
      holds: (schema) => !("anyOf" in schema) || Object.keys(schema).length === 1,
    },
    {
      source: "https://github.com/google-gemini/gemini-cli/issues/4415",
      holds: ({ enum: values, type }) =>
        values === undefined ||
        (type === "string" &&
          Array.isArray(values) &&
          values.every((value) => typeof value === "string" && value !== "")),
    },
    {
      source: "https://github.com/CherryHQ/cherry-studio/issues/3270",
      holds: ({ properties }) => properties === undefined || Object.keys(Object(properties)).length > 0,
    },
    {
      source: "https://github.com/anomalyco/opencode/pull/11888",
      holds: (schema) => schema["type"] === "object" || !("properties" in schema || "required" in schema),
    },
    {
      source: "https://github.com/cline/cline/issues/7339",
      holds: (schema) => (schema["type"] === "array") === isSchema(schema["items"]),
    },
    {
      source: "https://github.com/enechange/collmbo/pull/384",
      holds: ({ required, properties }) =>
        required === undefined ||
        (Array.isArray(required) && required.every((name) => Object.hasOwn(Object(properties), String(name)))),
    },
    {
      source: "https://firebase.google.com/docs/reference/js/ai.schemashared",
      holds: ({ format }) => format === undefined || format === "enum" || format === "date-time",
    },
    { source: "https://github.com/google-gemini/gemini-cli/issues/6031", holds: (_, { level }) => level <= 16 },
  ],
  compatible: [
    { source: "https://github.com/chatanywhere/GPT_API_free/issues/403", holds: isObjectAtRoot },
    {
      source: "https://github.com/nspady/google-calendar-mcp/issues/39",
      holds: without("oneOf", "anyOf", "allOf", "enum", "not"),
    },
    { source: "https://github.com/hypothesi/mcp-server-tauri/pull/31", holds: ({ type }) => !Array.isArray(type) },
    {
      source: "https://github.com/ggml-org/llama.cpp/issues/26930",
      holds: ({ pattern }) => pattern === undefined || /^\^.*\$$/s.test(String(pattern)),
    },
    { source: "https://github.com/codefuturist/email-mcp/issues/58", holds: hasNoLookAround },
    { source: "https://github.com/aebrer/dreb/pull/422", holds: ({ pattern }) => !/\\[sSwWbB]/.test(String(pattern)) },
    { source: "https://json-schema.org/draft/2020-12/schema", holds: isDraft2020 },
  ],
};

/** Returns where a sent schema breaks a rule. */
export function brokenRules(target: Target, schema: unknown): readonly string[] {
  const broken: string[] = [];
  const visit = (value: unknown, path: string, level: number): void => {
    if (!isSchema(value)) {
      broken.push(`${path}: not a schema`);
      return;
    }
    for (const { source, holds } of RULES[target]) {
      if (!holds(value, { isRoot: level === 0, level }))
        broken.push(`${path}: ${source} ${JSON.stringify(value).slice(0, 300)}`);
    }
    for (const [key, entry] of Object.entries(value)) {
      if (
        ["$ref", "$defs", "definitions", "not", "if", "oneOf", "allOf", "prefixItems", "patternProperties"].includes(
          key,
        )
      ) {
        broken.push(`${path}/${key}: sent`);
      }
      if (key === "properties")
        for (const [name, child] of Object.entries(Object(entry))) visit(child, `${path}/${name}`, level + 1);
      if (key === "items" || (key === "additionalProperties" && typeof entry !== "boolean"))
        visit(entry, `${path}/${key}`, level + 1);
      if (key === "anyOf" && Array.isArray(entry)) for (const child of entry) visit(child, `${path}/anyOf`, level + 1);
    }
  };
  if (schema !== undefined) visit(schema, "", 0);
  return broken;
}
