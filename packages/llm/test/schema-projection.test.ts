import { EngineError, type ModelRequest, type ToolDefinition } from "@switchyard/contracts";
import { compileSchema } from "@switchyard/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createAnthropicProvider,
  createGeminiProvider,
  createOpenAiCompatibleProvider,
  createOpenAiProvider,
  type LlmProvider,
} from "../src/index.ts";

type Words = Readonly<Record<string, unknown>>;

const TARGETS = ["openai", "anthropic", "gemini", "compatible"] as const;
type Target = (typeof TARGETS)[number];

function isWords(value: unknown): value is Words {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function providerOf(target: Target, fetch: typeof globalThis.fetch): LlmProvider {
  const options = { apiKey: "test-key-that-is-not-real", fetch };
  if (target === "openai") return createOpenAiProvider(options);
  if (target === "anthropic") return createAnthropicProvider(options);
  if (target === "gemini") return createGeminiProvider(options);
  return createOpenAiCompatibleProvider({ ...options, name: "server", baseUrl: "http://127.0.0.1:9/v1" });
}

/** The tool in the words of the API's request. */
interface SentTool {
  readonly name: string;
  readonly parameters: unknown;
}

function sentTools(body: Words): readonly SentTool[] {
  const listed: unknown = body["tools"];
  const tools: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return tools
    .flatMap((tool): readonly unknown[] => {
      if (!isWords(tool)) return [];
      const declared = tool["functionDeclarations"];
      return Array.isArray(declared) ? declared : [isWords(tool["function"]) ? tool["function"] : tool];
    })
    .map((tool) => {
      const words = isWords(tool) ? tool : {};
      return {
        name: String(words["name"]),
        parameters: words["parameters"] ?? words["input_schema"] ?? words["parametersJsonSchema"],
      };
    });
}

/** Sends a request and returns what went out; the API answers with an error. */
async function send(target: Target, request: Partial<ModelRequest>): Promise<Words> {
  let sent = "{}";
  const fetch: typeof globalThis.fetch = async (_, init) => {
    sent = String(init?.body);
    return new Response("{}", { status: 400 });
  };
  const message = { role: "user" as const, parts: [{ type: "text" as const, text: "Go." }] };
  try {
    await providerOf(target, fetch).complete({ model: "m", messages: [message], ...request });
  } catch (error) {
    if (!EngineError.is(error, "llm.invalid_request")) throw error;
  }
  const body: unknown = JSON.parse(sent);
  return isWords(body) ? body : {};
}

const toolOf = (parameters: unknown): ToolDefinition => ({
  name: "probe",
  description: "Probes.",
  parameters: isWords(parameters) ? parameters : {},
});

/** The parameters of one tool as they go out; `undefined` where the tool is left out or has none. */
async function sentParameters(target: Target, schema: unknown): Promise<unknown> {
  const [tool] = sentTools(await send(target, { tools: [toolOf(schema)] }));
  return tool?.parameters;
}

/** One documented rule about a schema, and the place where it can be read. */
interface CheckedRule {
  readonly source: string;
  readonly holds: (schema: Words, place: { readonly isRoot: boolean; readonly level: number }) => boolean;
}

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];
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

/** What each API documents or is reported to refuse, written down apart from the tables that it is to check. */
const RULES: Readonly<Record<Target, readonly CheckedRule[]>> = {
  openai: [
    { source: "https://github.com/langchain-ai/langchainjs/issues/9804", holds: isObjectAtRoot },
    {
      source: "https://github.com/nspady/google-calendar-mcp/issues/39",
      holds: without("oneOf", "anyOf", "allOf", "enum", "not"),
    },
    {
      source: "https://github.com/enechange/collmbo/pull/384",
      holds: (schema) => schema["type"] !== "object" || isWords(schema["properties"]),
    },
    {
      source: "https://github.com/spacelift-io/spacectl/issues/402",
      holds: (schema) => schema["type"] !== "array" || isWords(schema["items"]),
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
      holds: (schema) => (schema["type"] === "array") === isWords(schema["items"]),
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

/** Where a schema as it was sent breaks a rule. */
function brokenRules(target: Target, schema: unknown): readonly string[] {
  const broken: string[] = [];
  const visit = (value: unknown, path: string, level: number): void => {
    if (!isWords(value)) {
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

const NAMES = [
  "a",
  "b",
  "$filter",
  "user name",
  "filter[id]",
  "x".repeat(70),
  "constructor",
  "type",
  "properties",
  "é",
];
const NAME = fc.constantFrom(...NAMES);
const REFERENCES = [
  "#",
  "#/$defs/a",
  "#/definitions/b",
  "#/properties/a",
  "#/$defs/gone",
  "https://example.org/x.json",
  "#/a%zz",
];
const PATTERNS = ["^(?!x)", "^a+$", "(?<n>a)\\k<n>", "\\p{L}+", "(", "^\\S+$", "(?i)a", "^[a-z]{1,3}$", "(a)\\1", "$^"];
const VALUE = fc.oneof(fc.constantFrom<unknown>(1, "x", null, true, "", -1.5, {}, []), fc.jsonValue({ maxDepth: 1 }));

/** Any JSON Schema as servers send them, invalid ones among them. */
const { schema: SCHEMA } = fc.letrec<{ schema: unknown; word: readonly [string, unknown] }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(
      {},
      true,
      false,
      { type: "string" },
      { type: "object" },
      { type: "array" },
      "text",
      7,
      null,
    ),
    fc.array(tie("word"), { maxLength: 5 }).map((words) => Object.fromEntries(words)),
  ),
  word: fc.oneof(
    fc.tuple(
      fc.constant("type"),
      fc.oneof(fc.constantFrom<unknown>(...TYPES, "any", 3), fc.array(fc.constantFrom(...TYPES), { maxLength: 4 })),
    ),
    fc.tuple(fc.constantFrom("enum"), fc.array(VALUE, { maxLength: 4 })),
    fc.tuple(fc.constantFrom("const", "default", "examples"), VALUE),
    fc.tuple(
      fc.constantFrom("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"),
      fc.oneof(fc.dictionary(NAME, tie("schema"), { maxKeys: 4 }), fc.constant([])),
    ),
    fc.tuple(fc.constantFrom("items", "additionalProperties", "not", "if", "contains", "propertyNames"), tie("schema")),
    fc.tuple(
      fc.constantFrom("anyOf", "oneOf", "allOf", "prefixItems", "items"),
      fc.array(tie("schema"), { maxLength: 3 }),
    ),
    fc.tuple(fc.constant("required"), fc.oneof(fc.array(NAME, { maxLength: 3 }), fc.boolean())),
    fc.tuple(fc.constant("$ref"), fc.constantFrom(...REFERENCES)),
    fc.tuple(fc.constant("pattern"), fc.constantFrom(...PATTERNS)),
    fc.tuple(
      fc.constantFrom("minLength", "maxItems", "minimum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"),
      fc.constantFrom<unknown>(0, 2, -1, true, false, "1"),
    ),
    fc.tuple(
      fc.constantFrom("format", "description", "title", "$schema", "$id", "$comment"),
      fc.constantFrom("date-time", "uri", "http://json-schema.org/draft-04/schema#"),
    ),
    fc.tuple(fc.constantFrom("nullable", "uniqueItems", "deprecated"), fc.boolean()),
  ),
}));
const ROOT = fc.tuple(SCHEMA, SCHEMA, fc.boolean()).map(([schema, child, isPlain]) => ({
  ...(isPlain ? { type: "object" } : {}),
  properties: { a: child },
  ...(isWords(schema) ? schema : {}),
}));

describe.each(TARGETS)("any JSON Schema of a tool as it goes to %s", (target) => {
  test("is accepted by the API's documented rules, or the tool is left out", async () => {
    await fc.assert(
      fc.asyncProperty(ROOT, async (schema) => {
        expect(brokenRules(target, await sentParameters(target, schema))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  }, 120_000);

  test("checks its own check: what a server sends as it is breaks a rule", () => {
    const wrong = {
      type: "object",
      properties: { to: { type: ["string", "null"], pattern: "^(?!x)", const: 1 }, "$a b": true },
    };
    expect(brokenRules(target, wrong)).not.toEqual([]);
    expect(
      brokenRules(target, { anyOf: [{ type: "object" }], properties: { a: { enum: [1], oneOf: [] } } }),
    ).not.toEqual([]);
  });
});

describe("arguments", () => {
  test("that fit the schema fit what is sent, but for the types that it only implies", async () => {
    await fc.assert(
      fc.asyncProperty(ROOT, fc.dictionary(fc.constantFrom("a", "b"), VALUE), async (schema, args) => {
        const isStrictlyTyped = !JSON.stringify(schema).match(/"(?:not|if|\$ref|anyOf|oneOf|allOf|\$id|nullable)"/);
        fc.pre(isStrictlyTyped);
        const check = compileSchema(schema, { onIgnored: () => {} });
        const sent = await sentParameters("openai", schema);
        fc.pre(check(args) === undefined && isWords(sent) && hasTypesEverywhere(schema));
        const problem = isWords(sent) ? compileSchema(sent, { onIgnored: () => {} })(args) : undefined;
        expect(problem).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  }, 120_000);
});

function hasTypesEverywhere(schema: unknown): boolean {
  if (!isWords(schema)) return true;
  const { type, properties } = schema;
  const isTyped = typeof type === "string" && TYPES.includes(type);
  return (isTyped || Object.keys(schema).length === 0) && Object.values(Object(properties)).every(hasTypesEverywhere);
}
