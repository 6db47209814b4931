import type { ToolDefinition } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { createAnthropicProvider, createOpenAiProvider } from "../src/index.ts";

const TOOL: ToolDefinition = { name: "probe", description: "Probes.", parameters: { type: "object", properties: {} } };
const REQUEST = { model: "m", messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Go." }] }] };

/** An API that responds with one call, and the requests that it received. */
function callingApi(name: string, input: unknown) {
  const bodies: string[] = [];
  const content = [{ type: "tool_use", id: "call_1", name, input }];
  const usage = { input_tokens: 1, output_tokens: 1 };
  const answer = { type: "message", id: "m1", role: "assistant", model: "m", content, stop_reason: "tool_use", usage };
  const fetch: typeof globalThis.fetch = async (_, init) => {
    bodies.push(String(init?.body));
    return Response.json(answer);
  };
  return { bodies, provider: createAnthropicProvider({ apiKey: "test-key-that-is-not-real", fetch }) };
}

describe("a tool with properties whose names the API refuses", () => {
  const parameters = {
    type: "object",
    properties: {
      $filter: { type: "string" },
      _filter: { type: "string" },
      rows: { type: "array", items: { type: "object", properties: { "user name": { type: "string" } } } },
    },
    required: ["$filter"],
  };

  test("is sent with other property names, and its calls get the original names", async () => {
    const request = callingApi("probe", {});
    await request.provider.complete({ ...REQUEST, tools: [{ ...TOOL, parameters }] });
    const sent: unknown = JSON.parse(request.bodies[0] ?? "").tools[0].input_schema;
    const names = Object.keys(Object(sent).properties);
    expect(names).toEqual([expect.stringMatching(/^_filter_[0-9a-f]{8}$/), "_filter", "rows"]);
    expect(Object(sent).required).toEqual([names[0]]);
    const input = { [names[0] ?? ""]: "a", _filter: "b", rows: [{ user_name: "c" }] };
    const { provider } = callingApi("probe", input);
    const response = await provider.complete({ ...REQUEST, tools: [{ ...TOOL, parameters }] });
    const [call] = response.message.parts;
    expect(call).toMatchObject({ type: "tool_call", name: "probe" });
    expect(JSON.parse(call?.type === "tool_call" ? call.arguments : "")).toEqual({
      ...{ $filter: "a", _filter: "b" },
      rows: [{ "user name": "c" }],
    });
  });
});

test("a tool whose name the API refuses is sent under another, in the history too, and called by its own", async () => {
  const name = "files/read.text";
  const { bodies, provider } = callingApi("files_read_text", {});
  const calls = [
    { role: "assistant" as const, parts: [{ type: "tool_call" as const, id: "1", name, arguments: "{}" }] },
    {
      role: "tool" as const,
      parts: [{ type: "tool_result" as const, toolCallId: "1", name, content: "x", isError: false }],
    },
  ];
  const messages = [...REQUEST.messages, ...calls];
  const toolChoice = { tool: name };
  const response = await provider.complete({ ...REQUEST, messages, toolChoice, tools: [{ ...TOOL, name }] });
  expect(response.message.parts).toMatchObject([{ type: "tool_call", name }]);
  const body: unknown = JSON.parse(bodies[0] ?? "");
  expect(body).toMatchObject({ tools: [{ name: "files_read_text" }], tool_choice: { name: "files_read_text" } });
  expect(bodies[0]).not.toContain("files/read");
});

describe("a tool that cannot be sent", () => {
  const source = "the MCP server demo";
  const list: ToolDefinition = { ...TOOL, name: "demo__list", parameters: { type: "array" }, source };

  test("is left out with a warning that names it, its owner and the reason; the others are sent", async () => {
    const { bodies, provider } = callingApi("probe", {});
    const response = await provider.complete({ ...REQUEST, tools: [list, TOOL, TOOL] });
    expect(response.warnings).toEqual([
      "The tool demo__list of the MCP server demo was left out of the request to Anthropic: the root of its schema is not an object.",
      "The tool probe was left out of the request to Anthropic: another tool has its name.",
    ]);
    expect(JSON.parse(bodies[0] ?? "").tools).toMatchObject([{ name: "probe" }]);
  });

  test("and is the only tool: the request has no tools", async () => {
    const { bodies, provider } = callingApi("probe", {});
    await provider.complete({ ...REQUEST, tools: [list] });
    expect(JSON.parse(bodies[0] ?? "")).not.toHaveProperty("tools");
    await expect(provider.complete({ ...REQUEST, tools: [list], toolChoice: { tool: list.name } })).rejects.toThrow(
      "demo__list",
    );
  });

  test("because there are too many of them is named", async () => {
    const tools = Array.from({ length: 130 }, (_, index) => ({ ...TOOL, name: `probe${index}` }));
    let sent = "{}";
    const fetch: typeof globalThis.fetch = async (_, init) => {
      sent = String(init?.body);
      return Response.json({
        id: "r",
        created_at: 1,
        model: "m",
        output: [],
        status: "completed",
        usage: { input_tokens: 1, output_tokens: 1 },
      });
    };
    const provider = createOpenAiProvider({ apiKey: "test-key-that-is-not-real", fetch });
    const { warnings } = await provider.complete({ ...REQUEST, tools });
    expect(JSON.parse(sent).tools).toHaveLength(128);
    expect(warnings).toEqual([
      expect.stringContaining("probe128"),
      expect.stringContaining("only 128 tools are accepted"),
    ]);
  });
});

test("a converted schema stays small if references double its size or are recursive", async () => {
  const $defs: Record<string, unknown> = { d0: { type: "string" } };
  for (let level = 1; level <= 40; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { type: "object", properties: { a: { $ref }, b: { $ref } } };
  }
  const parameters = { type: "object", properties: { bomb: { $ref: "#/$defs/d40" }, self: { $ref: "#" } }, $defs };
  const { bodies, provider } = callingApi("probe", {});
  const { warnings } = await provider.complete({ ...REQUEST, tools: [{ ...TOOL, parameters }] });
  expect(warnings).toEqual([]);
  expect(bodies[0]?.length).toBeLessThan(256 * 1024);
  expect(bodies[0]).not.toContain("$ref");
});

test("equal tools are sent byte for byte equally in each request", async () => {
  const parameters = {
    properties: { b: { anyOf: [{ type: "string" }, { type: "null" }] }, a: { enum: [1, "x", null] } },
  };
  const { bodies, provider } = callingApi("probe", {});
  for (let turn = 0; turn < 3; turn++)
    await provider.complete({ ...REQUEST, tools: [{ ...TOOL, parameters: { ...parameters } }] });
  expect(new Set(bodies).size).toBe(1);
});

test("keywords that the API does not accept are listed in the description, in an order that a schema does not change", async () => {
  const keywords = { dependentRequired: { a: ["b"] }, propertyNames: { maxLength: 9 }, not: { required: ["c"] } };
  const described = async (words: object): Promise<unknown> => {
    const { bodies, provider } = callingApi("probe", {});
    const parameters = { type: "object", properties: { row: { type: "object", description: "A row.", ...words } } };
    await provider.complete({ ...REQUEST, tools: [{ ...TOOL, parameters }] });
    return JSON.parse(bodies[0] ?? "").tools[0].input_schema.properties.row.description;
  };
  const listed = '{"not":{"required":["c"]},"propertyNames":{"maxLength":9},"dependentRequired":{"a":["b"]}}';
  expect(await described(keywords)).toBe(`A row. Constraints: ${listed}`);
  expect(await described(Object.fromEntries(Object.entries(keywords).reverse()))).toBe(`A row. Constraints: ${listed}`);
});
