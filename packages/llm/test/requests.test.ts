import { EngineError, type Message, type ModelRequest, textMessage } from "@switchyard/contracts";
import { secret } from "@switchyard/secrets";
import { describe, expect, test } from "vitest";
import { clientFromEnv, createAnthropicProvider, createClient } from "../src/index.ts";
import { ask, clientOf, FAMILIES, type Family, KEY, READ_FILE } from "./families.ts";
import { answerJson, type SeenRequest, startServer } from "./loopback-server.ts";
import { COMPLETE } from "./wire-answers.ts";

const BASE: Record<Family, string> = { openai: "/v1", anthropic: "/v1", gemini: "/v1beta" };
const MODEL: Record<Family, string> = { openai: "gpt-5.1", anthropic: "claude-sonnet-4-5", gemini: "gemini-2.5-pro" };

/** The request as it is sent, and its warnings. */
async function wire(
  family: Family,
  request: Partial<ModelRequest>,
): Promise<SeenRequest & { warnings: readonly string[] }> {
  await using server = await startServer(answerJson(COMPLETE[family]));
  const full = { ...ask(MODEL[family]), ...request };
  const { warnings } = await clientOf(family, `${server.url}${BASE[family]}`).complete(full);
  const seen = server.requests[0];
  if (seen === undefined) throw new Error("no request came");
  return { ...seen, warnings };
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => (EngineError.is(error) ? error.code : error));

describe.each(FAMILIES)("requests to $family", ({ family, model, base, variable }) => {
  test("the base URL is used unchanged, and the key is sent in a header only", async () => {
    await using server = await startServer(answerJson(COMPLETE[family]));
    await clientOf(family, `${server.url}/prefix${base}`, {
      apiKey: secret(` ${KEY}\n`),
      headers: { "x-team": "blue" },
    }).complete(ask(model));
    const [seen] = server.requests;
    expect(seen?.path).toBe(
      {
        openai: "/prefix/v1/responses",
        anthropic: "/prefix/v1/messages",
        gemini: `/prefix/v1beta/models/${model}:generateContent`,
      }[family],
    );
    expect(
      [seen?.headers["authorization"], seen?.headers["x-api-key"], seen?.headers["x-goog-api-key"]].join(""),
    ).toContain(KEY);
    expect(seen?.headers["x-team"]).toBe("blue");
    expect(seen?.path + (seen?.text ?? "")).not.toContain(KEY);
  });

  test("the environment gives key and address; its provider is the default [client-client-3] [client-client-4]", async () => {
    await using server = await startServer(answerJson(COMPLETE[family]));
    const env = { [variable]: KEY, [`${family.toUpperCase()}_BASE_URL`]: `${server.url}${base}` };
    const response = await clientFromEnv(env).complete(ask(model));
    expect(response.provider).toBe(family);
  });

  test("an unknown model is sent under its own name [client-client-6]", async () => {
    const seen = await wire(family, { model: "house-model-7" });
    expect(`${seen.path} ${seen.text}`).toContain("house-model-7");
  });

  test("an effort of null omits the parameter [loop-2.7-2] [client-request-4]", async () => {
    const { at } = await wire(family, { reasoningEffort: null });
    expect(
      at("reasoning") ?? at("thinking") ?? at("output_config") ?? at("generationConfig", "thinkingConfig"),
    ).toBeUndefined();
  });

  test("a tool choice that is not possible is an error, and nothing is sent [client-request-1]", async () => {
    await using server = await startServer(answerJson(COMPLETE[family]));
    const client = clientOf(family, `${server.url}${base}`);
    const missing = { tools: [READ_FILE], toolChoice: { tool: "write_file" } };
    expect(await codeOf(client.complete(ask(model, "hi", missing)))).toBe("llm.unsupported_tool_choice");
    expect(await codeOf(client.complete(ask(model, "hi", { toolChoice: "required" })))).toBe(
      "llm.unsupported_tool_choice",
    );
    expect(server.requests).toEqual([]);
  });

  test("the name of the tool that must be called reaches the provider [client-request-1]", async () => {
    const { at } = await wire(family, { tools: [READ_FILE], toolChoice: { tool: "read_file" } });
    expect(at("tool_choice") ?? at("toolConfig", "functionCallingConfig")).toEqual(
      {
        openai: { type: "function", name: "read_file" },
        anthropic: { type: "tool", name: "read_file" },
        gemini: { mode: "ANY", allowedFunctionNames: ["read_file"] },
      }[family],
    );
  });

  test("additional headers and raw fields are sent unchanged [client-request-5]", async () => {
    const options = { headers: { "x-trace": "7" }, body: { new_field: { on: true } } };
    const { headers, at } = await wire(family, { providerOptions: { [family]: options } });
    expect(headers["x-trace"]).toBe("7");
    expect(at("new_field")).toEqual({ on: true });
  });

  test("images are sent as bytes and as an address, other addresses are refused [client-messages-2]", async () => {
    const image = (source: object): Message => ({
      role: "user",
      parts: [{ type: "image", mediaType: "image/png", ...source }],
    });
    const bytes = await wire(family, { messages: [image({ data: "iVBORw0KGgo=" })] });
    const inline = await wire(family, { messages: [image({ url: "data:image/png;base64,iVBORw0KGgo=" })] });
    expect(bytes.text).toContain("iVBORw0KGgo=");
    expect(inline.text).toBe(bytes.text);
    const address = await wire(family, { messages: [image({ url: "https://example.com/a.png" })] });
    expect(address.text).toContain("https://example.com/a.png");
    expect(await codeOf(wire(family, { messages: [image({ url: "file:///etc/passwd" })] }))).toBe(
      "llm.unsupported_part",
    );
  });

  test("a tool's images and failures reach the model [client-messages-1]", async () => {
    const call: Message = {
      role: "assistant",
      parts: [{ type: "tool_call", id: "call_1", name: "read_file", arguments: '{"path":"a"}' }],
    };
    const result = (more: object): Message => ({
      role: "tool",
      parts: [
        { type: "tool_result", toolCallId: "call_1", name: "read_file", content: "see", isError: false, ...more },
      ],
    });
    const images = [{ type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" }];
    const seen = await wire(family, { messages: [textMessage("user", "go"), call, result({ images })] });
    expect(seen.text).toContain("iVBORw0KGgo=");
    const failed = await wire(family, {
      messages: [textMessage("user", "go"), call, result({ isError: true, content: "no such file" })],
    });
    expect(failed.text).toContain("no such file");
    if (family === "anthropic") expect(failed.at("messages", 2, "content", 0, "is_error")).toBe(true);
  });

  test("arguments that are not JSON are sent back without breaking the request", async () => {
    const call: Message = {
      role: "assistant",
      parts: [{ type: "tool_call", id: "call_1", name: "read_file", arguments: '{"path":' }],
    };
    const result: Message = {
      role: "tool",
      parts: [
        { type: "tool_result", toolCallId: "call_1", name: "read_file", content: "bad arguments", isError: true },
      ],
    };
    const { at } = await wire(family, { messages: [textMessage("user", "go"), call, result] });
    const sent = {
      openai: () => JSON.parse(String(at("input", 1, "arguments"))),
      anthropic: () => at("messages", 1, "content", 0, "input"),
      gemini: () => at("contents", 1, "parts", 0, "functionCall", "args"),
    }[family]();
    expect(sent).toEqual({ invalid_arguments: '{"path":' });
  });

  test("developer and late system messages keep their position [client-messages-1]", async () => {
    const messages = [
      textMessage("system", "S1"),
      textMessage("developer", "D1"),
      textMessage("user", "U1"),
      textMessage("system", "S2"),
    ];
    const { text, at } = await wire(family, { messages });
    expect(text.indexOf("S1")).toBeGreaterThan(-1);
    const roles = {
      openai: () => at("input", "*", "role"),
      anthropic: () => [at("system", "*", "text"), at("messages", "*", "role")],
      gemini: () => [at("systemInstruction", "parts", "*", "text"), at("contents", "*", "role")],
    }[family]();
    expect(roles).toEqual(
      {
        openai: ["developer", "developer", "user", "developer"],
        anthropic: [["S1", "D1"], ["user"]],
        gemini: [
          ["S1", "D1"],
          ["user", "user"],
        ],
      }[family],
    );
    expect(text).toContain("S2");
  });

  test("a JSON schema for the answer reaches the provider [client-request-2]", async () => {
    const schema = {
      type: "object",
      properties: { n: { type: "number" } },
      required: ["n"],
      additionalProperties: false,
    };
    const { at } = await wire(family, { responseFormat: { type: "json_schema", name: "count", schema } });
    const sent = at("text", "format") ?? at("output_config", "format") ?? at("generationConfig", "responseSchema");
    expect(JSON.stringify(sent)).toContain('"n"');
  });

  test("labels for the provider's logs are sent if it supports them, otherwise there is a warning [client-request-6]", async () => {
    const { text, warnings } = await wire(family, { metadata: { user_id: "u-17", team: "blue" } });
    expect(["u-17", "blue"].map((sent) => text.includes(sent))).toEqual([family !== "gemini", family === "openai"]);
    const mentioned = ["user_id", "team"].map((name) => warnings.join(" ").includes(name));
    expect(mentioned).toEqual([family === "gemini", family !== "openai"]);
  });

  test("sampling, length and stop texts are passed on or reported [client-request-3]", async () => {
    const seen = await wire(family, { temperature: 0.2, topP: 0.75, maxTokens: 99, stopSequences: ["END"] });
    expect(seen.text).toContain("99");
    expect(`${seen.text} ${seen.warnings.join(" ")}`).toMatch(/END|stopSequences/);
    expect(`${seen.text} ${seen.warnings.join(" ")}`).toMatch(/0\.2|temperature/);
    expect(`${seen.text} ${seen.warnings.join(" ")}`).toMatch(/0\.75|topP/);
  });
});

describe("OpenAI", () => {
  test("nothing is stored, and encrypted reasoning is requested", async () => {
    const { json, at } = await wire("openai", { tools: [READ_FILE] });
    expect(json).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
    expect(at("tools", 0, "strict")).toBe(false);
  });

  test.each(["low", "medium", "high", "xhigh"])(
    "the effort %s becomes the request's reasoning effort [loop-2.7-4] [loop-9.7-3]",
    async (effort) => {
      const { at } = await wire("openai", {
        reasoningEffort: effort,
        model: effort === "xhigh" ? "gpt-5.1-codex-max" : "gpt-5.1",
      });
      expect(at("reasoning", "effort")).toBe(effort);
    },
  );

  test("a model of another name gets the effort as well, one without reasoning a warning [client-response-1]", async () => {
    expect((await wire("openai", { reasoningEffort: "low", model: "house-model" })).at("reasoning", "effort")).toBe(
      "low",
    );
    const direct = await wire("openai", { reasoningEffort: "low", model: "gpt-4.1" });
    expect(direct.at("reasoning")).toBeUndefined();
    expect(direct.warnings.join()).toContain("reasoningEffort");
  });

  test("organisation and project come from the environment [client-client-5]", async () => {
    await using server = await startServer(answerJson(COMPLETE.openai));
    const env = {
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_ORG_ID: "org-1",
      OPENAI_PROJECT_ID: "proj-1",
    };
    await clientFromEnv(env).complete(ask("gpt-5.1"));
    expect(server.requests[0]?.headers).toMatchObject({ "openai-organization": "org-1", "openai-project": "proj-1" });
  });
});

describe("Anthropic", () => {
  const HISTORY: readonly Message[] = [
    textMessage("system", "You are careful."),
    textMessage("user", "first"),
    textMessage("assistant", "answer"),
    textMessage("user", "second"),
  ];
  const MARK = { type: "ephemeral" };

  test("only the instructions and the last two inputs are marked for the cache [client-usage-3]", async () => {
    const { at, text } = await wire("anthropic", { messages: HISTORY });
    expect(at("system", 0, "cache_control")).toEqual(MARK);
    expect(at("messages", 0, "content", 0, "cache_control")).toEqual(MARK);
    expect(at("messages", 2, "content", 0, "cache_control")).toEqual(MARK);
    expect(text.match(/cache_control/g)).toHaveLength(3);
  });

  test("the marks can be switched off for a request or a provider [client-usage-4]", async () => {
    const off = await wire("anthropic", { messages: HISTORY, providerOptions: { anthropic: { autoCache: false } } });
    expect(off.text).not.toContain("cache_control");
    await using server = await startServer(answerJson(COMPLETE.anthropic));
    const provider = createAnthropicProvider({ apiKey: KEY, baseUrl: `${server.url}/v1`, autoCache: false });
    await createClient({ providers: { mine: provider }, defaultProvider: "mine" }).complete({
      model: "claude-sonnet-4-5",
      messages: HISTORY,
    });
    expect(server.requests[0]?.text).not.toContain("cache_control");
  });

  test.each([
    { model: "claude-sonnet-4-5", effort: "low", thinking: { type: "enabled", budget_tokens: 2048 } },
    { model: "claude-opus-4-20250514", effort: "high", thinking: { type: "enabled", budget_tokens: 24_576 } },
    { model: "claude-opus-4-6", effort: "medium", thinking: { type: "adaptive" }, outputConfig: { effort: "medium" } },
    { model: "claude-opus-5-5", effort: "max", thinking: { type: "adaptive" }, outputConfig: { effort: "max" } },
    { model: "claude-sonnet-4-5", effort: "none", thinking: { type: "disabled" } },
  ])("$model gets the effort $effort in the form that the model supports [loop-2.7-5]", async (row) => {
    const { at } = await wire("anthropic", { model: row.model, reasoningEffort: row.effort });
    expect(at("thinking")).toEqual(row.thinking);
    expect(at("output_config")).toEqual(row.outputConfig);
  });

  test("an effort that does not exist is an error with the ones that do", async () => {
    await expect(wire("anthropic", { reasoningEffort: "enormous" })).rejects.toThrow(
      /enormous is not one of: none, minimal, low/,
    );
    await expect(wire("gemini", { reasoningEffort: "enormous" })).rejects.toThrow(/enormous is not one of/);
  });

  test("beta headers and a thinking budget pass through [client-request-5]", async () => {
    const anthropic = { betaHeaders: ["context-1m-2025-08-07"], thinking: { type: "enabled", budgetTokens: 5000 } };
    const { headers, at } = await wire("anthropic", { reasoningEffort: "low", providerOptions: { anthropic } });
    expect(headers["anthropic-beta"]).toContain("context-1m-2025-08-07");
    expect(at("thinking")).toEqual({ type: "enabled", budget_tokens: 5000 });
  });

  test("a forced tool that the model refuses is an error instead of a softer choice [client-request-1]", async () => {
    const request = { model: "claude-opus-5-5", tools: [READ_FILE], toolChoice: "required" as const };
    expect(await codeOf(wire("anthropic", request))).toBe("llm.unsupported_tool_choice");
    const quoted = textMessage("user", '"tool_choice":{"type":"auto"');
    const { at } = await wire("anthropic", { tools: [READ_FILE], toolChoice: "required", messages: [quoted] });
    expect(at("tool_choice")).toEqual({ type: "any" });
  });

  test("ids of other providers are made to fit, call and result alike", async () => {
    const messages: readonly Message[] = [
      textMessage("user", "go"),
      {
        role: "assistant",
        parts: [
          { type: "tool_call", id: "call:1", name: "t", arguments: "{}" },
          { type: "tool_call", id: "call_1", name: "t", arguments: "{}" },
        ],
      },
      {
        role: "tool",
        parts: ["call:1", "call_1"].map((toolCallId) => ({
          type: "tool_result",
          toolCallId,
          name: "t",
          content: toolCallId,
          isError: false,
        })),
      },
    ];
    const { at } = await wire("anthropic", { messages });
    const ids = at("messages", 1, "content", "*", "id");
    expect(at("messages", 2, "content", "*", "tool_use_id")).toEqual(ids);
    expect(Array.isArray(ids) && new Set(ids).size).toBe(2);
  });
});

describe("Gemini", () => {
  test.each([
    ["gemini-2.5-pro", "medium", { thinkingBudget: 8192, includeThoughts: true }],
    ["gemini-2.5-flash", "none", { thinkingBudget: 0, includeThoughts: false }],
    ["gemini-3-pro-preview", "high", { thinkingLevel: "high", includeThoughts: true }],
    ["gemini-3-pro-preview", "xhigh", { thinkingLevel: "high", includeThoughts: true }],
  ])("%s with the effort %s thinks as configured [loop-2.7-6]", async (model, reasoningEffort, config) => {
    const { at } = await wire("gemini", { model, reasoningEffort });
    expect(at("generationConfig", "thinkingConfig")).toEqual(config);
  });

  test("safety settings and grounding pass through [client-request-5]", async () => {
    const safetySettings = [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }];
    const gemini = { safetySettings, tools: [{ id: "google.google_search", name: "google_search" }] };
    const { at } = await wire("gemini", { providerOptions: { gemini } });
    expect(at("safetySettings")).toEqual(safetySettings);
    expect(JSON.stringify(at("tools"))).toContain("googleSearch");
  });

  test("calls without ids get one here, which is removed when they are sent back [client-messages-8]", async () => {
    const answer = {
      responseId: "r",
      candidates: [
        {
          content: {
            role: "model",
            parts: [{ functionCall: { name: "read_file", args: { path: "a" } }, thoughtSignature: "c2ln" }],
          },
          finishReason: "STOP",
        },
      ],
    };
    await using server = await startServer(answerJson(answer));
    const client = clientOf("gemini", `${server.url}/v1beta`, { createId: () => "0000-1" });
    const first = ask("gemini-3-pro-preview", '"id":"call_made_00001","name"', { tools: [READ_FILE] });
    const { message } = await client.complete(first);
    expect(message.parts[0]).toMatchObject({ type: "tool_call", id: "call_made_00001" });
    const result: Message = {
      role: "tool",
      parts: [{ type: "tool_result", toolCallId: "call_made_00001", name: "read_file", content: "A", isError: false }],
    };
    await client.complete({ ...first, messages: [...first.messages, message, result] });
    const at = server.requests[1]?.at ?? (() => undefined);
    expect(at("contents", 0, "parts", 0, "text")).toBe('"id":"call_made_00001","name"');
    expect(at("contents", 1, "parts", 0)).toEqual({
      functionCall: { name: "read_file", args: { path: "a" } },
      thoughtSignature: "c2ln",
    });
    expect(at("contents", 2, "parts", 0, "functionResponse")).not.toHaveProperty("id");
  });
});
