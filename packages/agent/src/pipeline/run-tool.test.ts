import type { RegisteredTool } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { tool } from "../../test/run-session.ts";
import { SAMPLE_IMAGES } from "../../test/sample-images.ts";
import { callTool, createOpenAiProfile, type ToolCallResult, ToolRegistry, toolDefinitions } from "../index.ts";

async function call(registered: RegisteredTool, args: unknown): Promise<ToolCallResult> {
  await using workspace = await openWorkspace();
  const profile = createOpenAiProfile({ model: "gpt", tools: [registered] });
  const { name } = registered.definition;
  return await callTool({ profile, environment: workspace.environment, name, arguments: args });
}

function withSchema(parameters: Record<string, unknown>): RegisteredTool {
  return {
    definition: { name: "probe", description: "", parameters },
    execute: (args) => `ran ${JSON.stringify(args)}`,
  };
}

describe("registry", () => {
  test("tools are registered, replaced, listed and removed [loop-3.7-2] [loop-3.8-1] [loop-3.8-2]", () => {
    const registry = new ToolRegistry([tool("a", () => "1"), tool("b", () => "2")]);
    expect(registry.names()).toEqual(["a", "b"]);
    expect(registry.definitions().map(({ name }) => name)).toEqual(["a", "b"]);
    const other = tool("a", () => "3");
    registry.register(other);
    expect(registry.get("a")).toBe(other);
    expect(registry.names()).toEqual(["a", "b"]);
    registry.unregister("a");
    registry.unregister("never there");
    expect(registry.get("a")).toBeUndefined();
    expect(registry.definitions()).toHaveLength(1);
  });

  test.each([{ type: "string" }, { properties: {} }, {}])(
    "a schema whose root is not an object is rejected: %j [loop-3.8-5]",
    (parameters) => {
      expect(() => new ToolRegistry([withSchema(parameters)])).toThrow(/must have "type": "object"/);
    },
  );
});

describe("validation", () => {
  test("arguments that are not JSON are reported with the tool and the problem [loop-2.5-23] [loop-B-6] [loop-9.3-3]", async () => {
    const result = await call(withSchema({ type: "object" }), '{"a": ');
    expect(result.isError).toBe(true);
    expect(result.content).toMatch(/^Invalid arguments for tool: probe \(they are not valid JSON: /);
  });

  test.each(["[1]", "null", '"text"', "3"])(
    "arguments that are not an object are rejected: %s [loop-B-6]",
    async (text) => {
      expect((await call(withSchema({ type: "object" }), text)).content).toContain("they must be a JSON object");
    },
  );

  test("arguments that are a JSON text within a JSON text are read", async () => {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    expect((await call(withSchema(schema), JSON.stringify('{"n":1}'))).content).toBe('ran {"n":1}');
    expect((await call(withSchema(schema), JSON.stringify('{"n":'))).content).toContain("they are not valid JSON");
    expect((await call(withSchema(schema), JSON.stringify('{"n":"x"}'))).content).toContain("n must be integer");
    const hidden = JSON.stringify('{"__proto__":{"n":1},"n":1}');
    expect((await call(withSchema(schema), hidden)).content).toContain("they have a property __proto__");
  });

  test("no text at all means no arguments", async () => {
    expect((await call(withSchema({ type: "object" }), "")).content).toBe("ran {}");
  });

  test("arguments that do not match the schema never reach the tool [loop-2.5-23] [loop-9.3-3]", async () => {
    const schema = { type: "object", properties: { n: { type: "integer" }, m: { enum: ["x", "y"] } }, required: ["n"] };
    expect((await call(withSchema(schema), { n: "1" })).content).toContain("n must be integer");
    expect((await call(withSchema(schema), {})).content).toContain("must have required property 'n'");
    expect((await call(withSchema(schema), { n: 1, m: "z" })).content).toContain('["x","y"]');
    expect((await call(withSchema(schema), { n: 1 })).content).toBe('ran {"n":1}');
  });

  test("inherited properties do not count as arguments", async () => {
    const schema = { type: "object", required: ["constructor", "toString", "__proto__"] };
    expect((await call(withSchema(schema), {})).isError).toBe(true);
  });

  test("a pattern from a schema takes linear time, and one that cannot do so rejects nothing", async () => {
    const property = (pattern: string): RegisteredTool =>
      withSchema({ type: "object", properties: { s: { type: "string", pattern } } });
    const two = { a: { type: "string", pattern: "^a$" }, b: { type: "string", pattern: "^b$" } };
    const both = await call(withSchema({ type: "object", properties: two }), { a: "a", b: "a" });
    expect(both.content).toContain('b must match pattern "^b$"');
    const evil = { s: `${"a".repeat(50_000)}!` };
    expect((await call(property("^(a+)+$"), evil)).content).toContain("must match pattern");
    expect((await call(property("^(a+)+$"), { s: "aaa" })).isError).toBe(false);
    expect((await call(property("^(?!x)"), { s: "x" })).isError).toBe(false);
    expect((await call(property("^(?!x)"), { s: 1 })).content).toContain("s must be string");
  });

  test("arguments nested too deeply are refused", async () => {
    const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect((await call(withSchema({ type: "object" }), deep)).content).toContain("nested deeper than 64 levels");
    let list: unknown[] = [];
    for (let depth = 0; depth < 100_000; depth += 1) list = [list];
    const result = await call(withSchema({ type: "object" }), { a: list });
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining("nested deeper than 64 levels") });
  });

  test("arguments that cannot be written as JSON are refused", async () => {
    const result = await call(withSchema({ type: "object" }), { a: 1n });
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining("cannot be written as JSON") });
  });

  test.each([
    { type: "object", properties: { a: { type: "strnig" } } },
    { type: "object", required: "a" },
    { type: "object", properties: { a: { pattern: "(" } } },
    { type: "object", properties: { a: { $ref: "https://example.invalid/x" } } },
  ])("the part of a schema that is wrong refuses nothing, the rest is checked: %j", async (schema) => {
    const properties = { ...schema.properties, b: { type: "integer" } };
    expect((await call(withSchema({ ...schema, properties }), { a: "x", b: 1 })).isError).toBe(false);
    expect((await call(withSchema({ ...schema, properties }), { a: "x", b: "y" })).content).toContain(
      "b must be integer",
    );
  });

  test("two schemas may share an id, and an older draft is understood", async () => {
    for (const $schema of ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"]) {
      const schema = { $schema, $id: "urn:same", type: "object", required: ["a"] };
      expect((await call(withSchema(schema), {})).content).toContain("'a'");
    }
  });
});

describe("execution", () => {
  test("an unknown tool is reported with the available ones [loop-2.5-22] [loop-B-7] [loop-9.3-2]", async () => {
    await using workspace = await openWorkspace();
    const profile = createOpenAiProfile({ model: "gpt" });
    const result = await callTool({ profile, environment: workspace.environment, name: "frobnicate", arguments: {} });
    expect(result.isError).toBe(true);
    expect(result.content).toBe(
      "Unknown tool: frobnicate\nUse one of: read_file, apply_patch, write_file, shell, shell_output, shell_kill, grep, glob, spawn_agent, send_input, wait, close_agent.",
    );
    expect(toolDefinitions(profile).map(({ name }) => name)).toContain("apply_patch");
  });

  test.each(["__proto__", "constructor", "toString"])(
    "%s is an unknown tool like any other [loop-2.5-22]",
    async (name) => {
      await using workspace = await openWorkspace();
      const profile = createOpenAiProfile({ model: "gpt" });
      const result = await callTool({ profile, environment: workspace.environment, name, arguments: {} });
      expect(result.content).toContain(`Unknown tool: ${name}`);
    },
  );

  test("an exception of an executor becomes an error with the tool's name [loop-2.5-24] [loop-9.3-4] [loop-B-1]", async () => {
    const failing = (error: unknown): Promise<ToolCallResult> =>
      call(
        tool("broken", () => Promise.reject(error)),
        {},
      );
    expect(await failing(new Error("no luck"))).toMatchObject({
      isError: true,
      content: "Tool error (broken): no luck",
    });
    expect((await failing("just a text")).content).toBe("Tool error (broken): just a text");
    const known = await failing(new EngineError("environment.read_only"));
    expect(known.content).toContain("Tool error (broken): Writing is disabled in this environment.");
    expect(
      (
        await call(
          tool("sync", () => {
            throw new Error("at once");
          }),
          {},
        )
      ).content,
    ).toBe("Tool error (sync): at once");
  });

  test("any exception of an executor ends its call, even if it cannot be printed [loop-2.5-24] [loop-9.3-4]", async () => {
    const unprintable: unknown = Object.create(null);
    const result = await call(
      tool("broken", () => Promise.reject(unprintable)),
      {},
    );
    expect(result).toMatchObject({
      isError: true,
      content: "Tool error (broken): it threw something that cannot be printed",
      details: { error: { code: "tool.failed" } },
    });
  });

  test.each([
    { images: "abc" },
    { images: [null] },
    { images: [{ type: "image" }] },
    { images: [{ type: "image", mediaType: "image/png", data: Buffer.from("x") }] },
    { images: [() => 1] },
    { images: { length: 1 } },
    { images: null },
  ])("invalid images are an error of the tool: %j [loop-2.5-24]", async (output) => {
    // @ts-expect-error a tool without types may return anything
    const probe = tool("probe", () => ({ content: "seen", ...output }));
    const result = await call(probe, {});
    expect(result).toMatchObject({ content: "Tool error (probe): it returned invalid images", isError: true });
    expect(result.images).toBeUndefined();
  });

  test("a thenable that throws is an error of the tool [loop-2.5-24]", async () => {
    const thenable = {
      // biome-ignore lint/suspicious/noThenProperty: a tool without types may return anything
      then() {
        throw new Error("not me");
      },
    };
    // @ts-expect-error a tool without types may return anything
    const probe = tool("probe", () => thenable);
    const result = await call(probe, {});
    expect(result).toMatchObject({ content: "Tool error (probe): not me", isError: true });
  });

  test("images come back as they are", async () => {
    const images = [
      { type: "image" as const, mediaType: "image/png", data: SAMPLE_IMAGES[0]?.bytes.toString("base64") },
      { type: "image" as const, mediaType: "image/png", path: "/a.png" },
    ];
    expect(
      (
        await call(
          tool("probe", () => ({ content: "seen", images })),
          {},
        )
      ).images,
    ).toEqual(images);
  });

  test("output of a tool after its end is ignored", async () => {
    await using workspace = await openWorkspace();
    const updates: string[] = [];
    let emitOutput = (_: string): void => {};
    const talker = tool("talker", (_, __, { onUpdate }) => {
      emitOutput = onUpdate;
      onUpdate("during");
      return "done";
    });
    const { environment } = workspace;
    const profile = createOpenAiProfile({ model: "gpt", tools: [talker] });
    const onUpdate = (text: string): void => void updates.push(text);
    await callTool({ profile, environment, name: "talker", arguments: {}, onUpdate });
    emitOutput("behind");
    expect(updates).toEqual(["during"]);
  });

  test("an executor gets arguments, environment, signal, id and update callback, and may return details [loop-3.8-4] [loop-4.1-1]", async () => {
    await using workspace = await openWorkspace();
    const updates: string[] = [];
    const probe: RegisteredTool = {
      definition: { name: "probe", description: "", parameters: { type: "object" } },
      execute: (args, environment, context) => {
        context.onUpdate("working");
        expect(environment).toBe(workspace.environment);
        expect(context.signal).toBeInstanceOf(AbortSignal);
        return { content: `${String(args["a"])} ${context.callId}`, details: { n: 1 } };
      },
    };
    const profile = createOpenAiProfile({ model: "gpt", tools: [probe] });
    const result = await callTool({
      profile,
      environment: workspace.environment,
      name: "probe",
      arguments: { a: "x" },
      onUpdate: (text) => updates.push(text),
    });
    expect(result).toMatchObject({ content: "x call", details: { n: 1 }, isError: false });
    expect(updates).toEqual(["working"]);
  });

  test("long output is truncated for the model and complete for the host [loop-2.5-26] [loop-9.5-4]", async () => {
    const result = await call(
      tool("long", () => "x".repeat(100_000)),
      {},
    );
    expect(result.output).toHaveLength(100_000);
    expect(result.content.length).toBeLessThanOrEqual(30_000);
  });
});
