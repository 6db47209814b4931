import type { RegisteredTool, ToolArguments } from "@switchyard/contracts";
import { inertEnvironment, text, toolCall, toolCalls } from "@switchyard/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, note } from "../../test/run-session.ts";
import { callTool, createOpenAiProfile, type ToolCallResult } from "../index.ts";
import { checkArguments, parseArguments } from "./parse-arguments.ts";

function probe(properties: Record<string, unknown> = {}, required: readonly string[] = []): RegisteredTool {
  return {
    definition: { name: "probe", description: "", parameters: { type: "object", properties, required } },
    execute: (args) => JSON.stringify(args),
  };
}

async function call(args: string, registered = probe()): Promise<ToolCallResult> {
  const profile = createOpenAiProfile({ model: "m", tools: [registered] });
  return await callTool({ profile, environment: inertEnvironment(), name: "probe", arguments: args });
}

describe("arguments that are not plain JSON", () => {
  test.each([
    ["NaN", '{"n":NaN}', "not valid JSON"],
    ["Infinity", '{"n":Infinity}', "not valid JSON"],
    ["a number beyond all numbers", '{"n":1e999}', "a number in them is too large"],
    ["such a number deep inside", '{"a":[{"b":[-1e999]}]}', "a number in them is too large"],
    ["half a character", '{"s":"\\ud800"}', "a text in them is not valid Unicode"],
    ["half a character in a list", '{"s":["ok","x\\udfff"]}', "a text in them is not valid Unicode"],
    ["half a character in a name", '{"\\ud83d":1}', "a text in them is not valid Unicode"],
    ["a raw half character", '{"s":"\ud800"}', "a text in them is not valid Unicode"],
    ["a prototype", '{"__proto__":{"isAdmin":true}}', "they have a property __proto__"],
    ["a prototype with an escape", '{"a":{"\\u005f_proto__":1}}', "they have a property __proto__"],
    ["a call that was cut off", '{"path":"src/a', "not valid JSON"],
    ["two of them", '{"a":1}{"a":2}', "not valid JSON"],
    ["a comment", '{"a":1 /* x */}', "not valid JSON"],
    ["a mark in front", '\ufeff{"a":1}', "not valid JSON"],
  ])("%s is an error for the model, and nothing worse [loop-2.5-23] [loop-B-6]", async (_, args, problem) => {
    const result = await call(args);
    expect(result.isError).toBe(true);
    expect(result.content).toMatch(/^Invalid arguments for tool: probe \(/);
    expect(result.content).toContain(problem);
    expect(Object.hasOwn(Object.prototype, "isAdmin")).toBe(false);
  });

  test("of two properties of one name the last counts, for the host that decides as for the tool [loop-2.5-23] [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const seen: unknown[] = [];
    const { session } = createSession(workspace, {
      tools: [{ ...probe(), execute: (args: ToolArguments) => note(seen, args["path"]) }],
      steps: [toolCall("probe", '{"path":"harmless","path":"secrets/key"}'), text("done")],
      approve: ({ args }) => {
        seen.push(args["path"]);
        return { decision: "allow", decidedBy: "host" };
      },
      hooks: { beforeToolCall: ({ args }) => void seen.push(args["path"]) },
    });
    await collect(session.submit("go"));
    expect(seen).toEqual(["secrets/key", "secrets/key", "secrets/key"]);
  });

  test("names of inherited properties are names like others, and count only as own properties [loop-2.5-23]", async () => {
    const named = probe({ constructor: { type: "string" }, toString: { type: "integer" } }, ["constructor"]);
    expect((await call("{}", named)).content).toContain("must have required property 'constructor'");
    expect((await call('{"constructor":"x","toString":1}', named)).output).toBe('{"constructor":"x","toString":1}');
    expect((await call('{"constructor":{"prototype":{}}}', named)).isError).toBe(true);
  });

  test("as deep as the limit is deep enough, one more is not [loop-2.5-23]", async () => {
    const nested = (depth: number): string => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect((await call(nested(63))).isError).toBe(false);
    expect((await call(nested(65))).content).toContain("nested deeper than 64 levels");
    expect((await call(`${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`)).isError).toBe(true);
  });

  test("a million values are looked at in a moment [loop-2.5-23]", async () => {
    const result = await call(`{"a":[${"1,".repeat(1_000_000)}1]}`);
    expect(result.isError).toBe(false);
  });

  test("for any text, the call ends with a result [loop-2.5-23] [loop-B-6]", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (args) => {
        const { isError, output } = await call(args);
        if (!isError) expect(() => JSON.parse(output)).not.toThrow();
      }),
    );
  });
});

describe("malformed calls", () => {
  test("ids that are used twice, or forgotten, are made unique, and each has its result [loop-2.5-27]", async () => {
    await using workspace = await openWorkspace();
    const same = { name: "echo", arguments: {}, id: "same" };
    const { session, client } = createSession(workspace, {
      steps: [toolCalls([same, same, { ...same, id: "same-2" }]), toolCalls([same]), text("done")],
    });
    await collect(session.submit("go"));
    const last = client.requests.at(-1)?.messages ?? [];
    const parts = last.flatMap((message) => message.parts);
    const ids = parts.flatMap((part) => (part.type === "tool_call" ? [part.id] : []));
    const results = parts.flatMap((part) => (part.type === "tool_result" ? [part.toolCallId] : []));
    expect(new Set(ids).size).toBe(4);
    expect(results).toEqual(ids);
  });

  test.each(["", " ", "__proto__", "hasOwnProperty", "echo\n", "ECHO", "\ud800"])(
    "the tool %j is unknown, and the session continues [loop-2.5-22] [loop-B-7]",
    async (name) => {
      await using workspace = await openWorkspace();
      const { session } = createSession(workspace, { steps: [toolCall(name), text("done")] });
      const events = await collect(session.submit("go"));
      expect(dataOf(events, "tool_call_end")[0]).toMatchObject({
        is_error: true,
        content: expect.stringContaining("Unknown tool:"),
      });
      expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "completed" }]);
    },
  );
});

test("short arguments that are checked as text are rejected like those that are checked value by value", () => {
  const key = fc.constantFrom("a", "__proto__", "x\ud800", "1e5");
  const number = fc.constantFrom("1", "-0.5", "1e5", "1E999", "-1e+999", "9".repeat(240), "9".repeat(320));
  const string = fc.oneof(fc.string(), fc.constantFrom("\ud800", "1e9", "{", "[", "\\", "__proto__"));
  const value = fc.oneof(
    number,
    string.map((text) => JSON.stringify(text)),
    string.map((text) => `"${text.replace(/[\\"\p{Cc}]/gu, "")}"`),
    fc.constantFrom("null", "true", "[]", "{}", '{"__proto__":1}', '["\\ud800"]', `${"[".repeat(70)}${"]".repeat(70)}`),
  );
  const space = fc.constantFrom("", " ", "\n");
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value, space), { maxLength: 4 }), space, (entries, before) => {
      const text = `${before}{${entries.map(([name, entry, gap]) => `"${name}":${gap}${entry}`).join(",")}}`;
      const problem = checkArguments(JSON.parse(text));
      expect(parseArguments(text)).toMatchObject(problem === undefined ? { kind: "parsed" } : { problem });
    }),
    { numRuns: 2_000 },
  );
});
