import { NO_USAGE, type ToolCallPart } from "@switchyard/contracts";
import { type ScriptStep, scriptedClient, text, toolCall } from "@switchyard/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, dataOf, tool } from "../../test/run-session.ts";
import { createAnthropicProfile, Session, type SessionConfig, type Turn } from "../index.ts";
import { callSignature, mayBeEqual, readArguments } from "./call-signature.ts";
import { detectLoop } from "./detect-loop.ts";
import { RecentCalls } from "./recent-calls.ts";

async function run(
  steps: readonly ScriptStep[],
  config?: Partial<SessionConfig>,
): Promise<{ messages: string[]; history: readonly Turn[] }> {
  await using workspace = await openWorkspace();
  const session = new Session({
    profile: createAnthropicProfile({ model: "m" }),
    environment: workspace.environment,
    client: scriptedClient([...steps, text("done")]),
    tools: [tool("a", () => ""), tool("b", () => ""), tool("c", () => "")],
    config,
  });
  const events = await collect(session.submit("go"));
  return { messages: dataOf(events, "loop_detection").map(({ message }) => message), history: session.history };
}

function answerWith(...toolCalls: ToolCallPart[]): Turn {
  return { type: "assistant", content: "", toolCalls, usage: NO_USAGE, timestamp: "" };
}

const same = (count: number): ScriptStep[] => Array.from({ length: count }, () => toolCall("a", { x: 1 }));

describe("patterns", () => {
  const repeat = (pattern: string, count: number): string[] => pattern.repeat(count).slice(0, count).split("");

  test.each(["a", "ab", "abc"])("%s is found over the largest multiple that fits [loop-2.10-3]", (pattern) => {
    expect(detectLoop(repeat(pattern, 10), 10)).toBeDefined();
    const calls = repeat(pattern, 10);
    const span = 10 - (10 % pattern.length);
    // Calls before the span are ignored. A different call within the span ends the pattern.
    expect(detectLoop([...Array(10 - span).fill("x"), ...calls.slice(0, span)], 10)).toBe(detectLoop(calls, 10));
    expect(detectLoop([...calls.slice(0, 9), "x"], 10)).toBeUndefined();
  });

  test("fewer calls than the window are not a loop [loop-2.10-2]", () => {
    expect(detectLoop(repeat("a", 9), 10)).toBeUndefined();
  });

  test("a pattern has one name wherever the window begins [loop-2.10-5]", () => {
    expect(detectLoop(repeat("ab", 10), 10)).toBe(detectLoop(repeat("ba", 10), 10));
    expect(detectLoop(repeat("abc", 9), 9)).toBe(detectLoop(repeat("cab", 9), 9));
  });

  test("calls without a period of up to three are not a loop, in any window", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), (window) => {
        expect(
          detectLoop(
            Array.from({ length: window }, (_, index) => String(index)),
            window,
          ),
        ).toBeUndefined();
        expect(detectLoop(repeat("a", window), window)).toBe("a");
      }),
    );
    expect(detectLoop(["a"], 1)).toBeUndefined();
  });

  test("calls are equal if name and arguments are, regardless of formatting [loop-2.10-1] [loop-2.10-6]", () => {
    const sign = (name: string, args: string): string =>
      callSignature({ type: "tool_call", id: "", name, arguments: args });
    expect(sign("a", '{"x":1,"y":[2]}')).toBe(sign("a", ' { "y": [2], "x": 1 } '));
    expect(sign("a", '{"x":1}')).not.toBe(sign("a", '{"x":2}'));
    expect(sign("a", '{"x":1}')).not.toBe(sign("b", '{"x":1}'));
    expect(sign("a", "{broken")).toBe(sign("a", "{broken"));
  });

  test("calls are equal regardless of the order and names of their arguments [loop-2.10-1]", () => {
    const key = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toJSON", "10", "9"));
    const entries = fc.uniqueArray(fc.tuple(key, fc.jsonValue({ maxDepth: 1 })), {
      selector: ([name]) => name,
      maxLength: 20,
    });
    const sign = (pairs: readonly (readonly [string, unknown])[]): string => {
      const args = pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",");
      return callSignature({ type: "tool_call", id: "", name: "a", arguments: `{${args}}` });
    };
    fc.assert(
      fc.property(entries, (pairs) => {
        const signature = sign(pairs);
        expect(sign([...pairs].reverse())).toBe(signature);
        expect(sign([...pairs.slice(1), ...pairs.slice(0, 1)])).toBe(signature);
        for (const [name] of pairs) expect(signature).toContain(JSON.stringify(name));
      }),
    );
  });

  test("different values are distinguished by the quick check", () => {
    expect(mayBeEqual({ a: 1, b: "x" }, { b: "x", a: 1 })).toBe(true);
    expect(mayBeEqual({ a: 1, b: "x" }, { a: 1, b: "y" })).toBe(false);
    expect(mayBeEqual({ a: { b: 1 } }, { a: 1 })).toBe(false);
    expect([mayBeEqual("x", "x"), mayBeEqual("x", {}), mayBeEqual({ constructor: "x" }, {})]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("calls with equal signatures are never distinguished by the quick check [loop-2.10-1] [loop-2.10-6]", () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const small = fc.constantFrom("{}", "[]", "0", "-0", '""', '{"0":1}', "[1]", '{"a":1,"b":2}', '{ "b": 2, "a": 1 }');
    const odd = fc.constantFrom('{"__proto__":1}', '{"__proto__":{}}', '{"constructor":1}', "{broken", "", "null");
    const text = fc.oneof(
      value.map((any) => JSON.stringify(any)),
      small,
      odd,
    );
    const name = fc.constantFrom("a", "b");
    const asCall = ([called, args]: readonly [string, string]) =>
      ({ type: "tool_call", id: "", name: called, arguments: args }) as const;
    const pair = fc.oneof(
      fc.tuple(fc.tuple(name, text), fc.tuple(name, text)),
      fc
        .tuple(name, value, fc.constantFrom(0, 1, 4))
        .map(([called, any, spaces]): [[string, string], [string, string]] => [
          [called, JSON.stringify(any)],
          [called, JSON.stringify(any, undefined, spaces)],
        ]),
    );
    fc.assert(
      fc.property(pair, ([first, second]) => {
        const [left, right] = [asCall(first), asCall(second)];
        const isSame = callSignature(left) === callSignature(right);
        const mayBe = left.name === right.name && mayBeEqual(readArguments(left), readArguments(right));
        if (isSame) expect(mayBe).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

test("calls are compared only if a pattern may be complete, and every pattern is detected [loop-2.10-2] [loop-2.10-3]", () => {
  // Repetitions of a few short patterns, so that patterns start, break off and continue.
  const runs = fc.array(fc.tuple(fc.constantFrom("a", "ab", "abc", "aab", "x", "b"), fc.integer({ min: 1, max: 9 })));
  fc.assert(
    fc.property(runs, fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 3 }), (parts, windows) => {
      const names = parts.flatMap(([pattern, count]) => pattern.repeat(count).split(""));
      const turns: Turn[] = [];
      const recent = new RecentCalls(turns);
      names.forEach((name, index) => {
        const call: ToolCallPart = { type: "tool_call", id: String(index), name, arguments: "{}" };
        turns.push(answerWith(call));
        recent.add(call);
        const window = windows[index % windows.length] ?? 10;
        const expected = detectLoop(
          names
            .slice(0, index + 1)
            .slice(-window)
            .map((one) => `${one}\n{}`),
          window,
        );
        expect(recent.findLoop(window)).toBe(expected);
      });
    }),
    { numRuns: 500 },
  );
});

describe("in a session", () => {
  test("a loop is pointed out once, as a steering turn [loop-2.5-14] [loop-2.10-4] [loop-2.10-5] [loop-9.1-7] [loop-2.2-8]", async () => {
    const { messages, history } = await run(same(14));
    const message = "Loop detected: the last 10 tool calls follow a repeating pattern. Try a different approach.";
    expect(messages).toEqual([message]);
    expect(history.filter((turn) => turn.type === "steering")).toMatchObject([{ content: message }]);
  });

  test("a cycle of two calls is pointed out once as well [loop-2.10-5]", async () => {
    const steps = Array.from({ length: 16 }, (_, index) => toolCall(index % 2 === 0 ? "a" : "b"));
    expect((await run(steps)).messages).toHaveLength(1);
  });

  test("different calls are not a loop [loop-2.10-6]", async () => {
    const steps = Array.from({ length: 16 }, (_, index) => toolCall("a", { index }));
    expect((await run(steps)).messages).toEqual([]);
  });

  test("the window can be changed, and detection switched off [loop-2.2-7] [loop-2.2-8]", async () => {
    expect((await run(same(4), { loopDetectionWindow: 3 })).messages).toEqual([
      expect.stringContaining("the last 3 tool calls"),
    ]);
    expect((await run(same(14), { enableLoopDetection: false })).messages).toEqual([]);
  });
});
