import { EngineError, type ModelRequest, type ToolDefinition } from "@switchyard/contracts";
import { compileSchema } from "@switchyard/json-schema";
import { scriptedClient, text, toolCall } from "@switchyard/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createAnthropicProvider,
  createGeminiProvider,
  createOpenAiCompatibleProvider,
  createOpenAiProvider,
  generate,
  type LlmProvider,
} from "../src/index.ts";
import { brokenRules, isSchema, type SchemaKeywords, TARGETS, type Target, TYPES } from "./documented-schema-rules.ts";

function providerOf(target: Target, fetch: typeof globalThis.fetch): LlmProvider {
  const options = { apiKey: "test-key-that-is-not-real", fetch };
  if (target === "openai") return createOpenAiProvider(options);
  if (target === "anthropic") return createAnthropicProvider(options);
  if (target === "gemini") return createGeminiProvider(options);
  return createOpenAiCompatibleProvider({ ...options, name: "server", baseUrl: "http://127.0.0.1:9/v1" });
}

/** The tool in the format of the API's request. */
interface SentTool {
  readonly name: string;
  readonly parameters: unknown;
}

function sentTools(body: SchemaKeywords): readonly SentTool[] {
  const listed: unknown = body["tools"];
  const tools: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return tools
    .flatMap((tool): readonly unknown[] => {
      if (!isSchema(tool)) return [];
      const declared = tool["functionDeclarations"];
      return Array.isArray(declared) ? declared : [isSchema(tool["function"]) ? tool["function"] : tool];
    })
    .map((tool) => {
      const words = isSchema(tool) ? tool : {};
      return {
        name: String(words["name"]),
        parameters: words["parameters"] ?? words["input_schema"] ?? words["parametersJsonSchema"],
      };
    });
}

/** Sends a request and returns the request body; the API answers with an error. */
async function send(target: Target, request: Partial<ModelRequest>): Promise<SchemaKeywords> {
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
  return isSchema(body) ? body : {};
}

const toolOf = (parameters: unknown): ToolDefinition => ({
  name: "probe",
  description: "Probes.",
  parameters: isSchema(parameters) ? parameters : {},
});

/** The parameters of one tool in the request. `undefined` if the tool is omitted or has none. */
async function sentParameters(target: Target, schema: unknown): Promise<unknown> {
  const [tool] = sentTools(await send(target, { tools: [toolOf(schema)] }));
  return tool?.parameters;
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

/** Any JSON Schema that servers may send, including invalid ones. */
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
  ...(isSchema(schema) ? schema : {}),
}));

describe.each(TARGETS)("any JSON Schema of a tool as it is sent to %s", (target) => {
  test("is accepted by the API's documented rules, or the tool is left out", async () => {
    await fc.assert(
      fc.asyncProperty(ROOT, async (schema) => {
        expect(brokenRules(target, await sentParameters(target, schema))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("verifies its own check: an unprojected schema breaks a rule", () => {
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
  test("that fit the sent schema but not the original are reported to the model, and the tool is not called", async () => {
    const counted = { reported: 0, called: 0 };
    await fc.assert(
      fc.asyncProperty(ROOT, fc.dictionary(fc.constantFrom("a", "b"), VALUE), async (schema, generated) => {
        // Converted to JSON and back, because generated objects may have no prototype, which `enum` and `const` would
        // distinguish.
        const args = JSON.parse(JSON.stringify(generated));
        const sent = await sentParameters("anthropic", schema);
        fc.pre(isSchema(sent) && compileSchema(sent, { onIgnored: () => {} })(args) === undefined);
        let isCalled = false;
        const execute = (): string => {
          isCalled = true;
          return "called";
        };
        const client = scriptedClient([toolCall("probe", args), text("Done.")]);
        const { messages } = await generate(client, {
          model: "m",
          prompt: "Go.",
          tools: [{ ...toolOf(schema), execute }],
        });
        const fits = compileSchema(schema, { onIgnored: () => {} })(args) === undefined;
        const results = messages.flatMap(({ parts }) => parts).filter((part) => part.type === "tool_result");
        expect(results).toMatchObject([{ isError: !fits }]);
        expect(isCalled).toBe(fits);
        counted[fits ? "called" : "reported"] += 1;
      }),
      { numRuns: 150 },
    );
    expect(counted.reported).toBeGreaterThan(0);
    expect(counted.called).toBeGreaterThan(0);
  });

  test("that fit the original schema fit the sent one, except for implied types", async () => {
    await fc.assert(
      fc.asyncProperty(ROOT, fc.dictionary(fc.constantFrom("a", "b"), VALUE), async (schema, args) => {
        const isStrictlyTyped = !JSON.stringify(schema).match(/"(?:not|if|\$ref|anyOf|oneOf|allOf|\$id|nullable)"/);
        fc.pre(isStrictlyTyped);
        const ignored: string[] = [];
        const check = compileSchema(schema, { onIgnored: (problem) => ignored.push(problem) });
        const sent = await sentParameters("openai", schema);
        // A schema with ignored keywords checks less than it appears to. The projection may keep ignored keywords.
        fc.pre(ignored.length === 0 && check(args) === undefined && isSchema(sent) && hasTypesEverywhere(schema));
        const problem = isSchema(sent) ? compileSchema(sent, { onIgnored: () => {} })(args) : undefined;
        expect(problem).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });
});

function hasTypesEverywhere(schema: unknown): boolean {
  if (!isSchema(schema)) return true;
  const { type, properties } = schema;
  const isTyped = typeof type === "string" && TYPES.includes(type);
  return (isTyped || Object.keys(schema).length === 0) && Object.values(Object(properties)).every(hasTypesEverywhere);
}
