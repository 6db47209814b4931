import { EngineError } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { createSessionConfig, ToolRegistry } from "../index.ts";

function refused(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return EngineError.is(error, "config.invalid") ? error.message : error;
  }
}

describe("invalid limits are refused instead of being ignored", () => {
  test.for([
    [{ maxTurns: -1 }, "config.maxTurns is invalid: it must be a number, 0 or more"],
    [{ maxTotalTokens: Number.NaN }, "config.maxTotalTokens is invalid: it must be a number, 0 or more"],
    [JSON.parse('{"maxCostMicros":"5"}'), "config.maxCostMicros is invalid: it must be a number, 0 or more"],
    [JSON.parse('{"defaultCommandTimeoutMs":null}'), "config.defaultCommandTimeoutMs is invalid: it must be a number"],
    [{ toolOutputLimits: { shell: -5 } }, "config.toolOutputLimits is invalid: it must be numbers, 0 or more, by the"],
    [JSON.parse('{"toolOutputLimits":{"shell":"100"}}'), "config.toolOutputLimits is invalid: it must be numbers"],
    [JSON.parse('{"toolOutputLimits":null}'), "config.toolOutputLimits is invalid: it must be numbers"],
    [JSON.parse('{"toolLineLimits":[5]}'), "config.toolLineLimits is invalid: it must be numbers"],
    [JSON.parse('{"maxTurn":5}'), "config.maxTurn is invalid: the setting is unknown"],
    [JSON.parse('{"toString":5}'), "config.toString is invalid: the setting is unknown"],
  ] as const)("%j", ([config, problem]) => {
    expect(refused(() => createSessionConfig(config))).toContain(problem);
  });
});

test("unset options have their defaults, and sessions share no objects", () => {
  const overrides = { maxTurns: Number.POSITIVE_INFINITY, model: "m" };
  // Untyped callers may pass an explicit `undefined`.
  Reflect.set(overrides, "maxSubagents", undefined);
  const config = createSessionConfig(overrides);
  expect(config).toMatchObject({
    maxTurns: Number.POSITIVE_INFINITY,
    maxSubagents: 8,
    model: "m",
    reasoningEffort: null,
  });
  expect(createSessionConfig().toolOutputLimits).not.toBe(createSessionConfig().toolOutputLimits);
});

test.for(["", "my tool", "tool.name", "x".repeat(65), "naïve"])(
  "a tool named %j, which a provider would refuse, is refused before [loop-3.8-1]",
  (name) => {
    const definition = { name, description: "", parameters: { type: "object" } };
    const tools = [{ definition, execute: async () => ({ content: "" }) }];
    expect(refused(() => new ToolRegistry(tools))).toContain("a name is 1 to 64 letters, digits, _ and -");
  },
);
