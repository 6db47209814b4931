import { EngineError, type Usage } from "@switchyard/contracts";
import { type AnswerStep, answer, failure, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, tool } from "../../test/run-session.ts";
import { createAnthropicProfile, createSummaryCompaction, parseBoundary } from "../index.ts";

function costing(step: AnswerStep, usage: Partial<Usage>): AnswerStep {
  return answer({ ...step, usage: { inputTokens: 60, outputTokens: 40, totalTokens: 100, ...usage } });
}

describe("limits on the usage of a session", () => {
  test("tokens stop it like any limit, and the next input as well [loop-2.8-1]", async () => {
    await using workspace = await openWorkspace();
    const { session, client } = createSession(workspace, {
      config: { maxTotalTokens: 200 },
      steps: [costing(toolCall("echo"), {}), costing(toolCall("echo"), {}), text("never")],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "turn_limit")).toEqual([{ limit: "max_total_tokens", count: 200 }]);
    expect(dataOf(events, "processing_end")).toEqual([{ outcome: "turn_limit", rounds: 2 }]);
    expect(session.state).toBe("idle");
    expect(session.history.at(-1)).toMatchObject({ type: "tool_results" });
    expect(dataOf(await collect(session.submit("again")), "turn_limit")).toHaveLength(1);
    expect(client.requests).toHaveLength(2);
    session.config.maxTotalTokens = 0;
    await collect(session.submit("and now"));
    expect(session.history.at(-1)).toMatchObject({ content: "never" });
  });

  test.each([
    { inputTokens: Number.NaN, totalTokens: Number.NaN },
    { inputTokens: -1e9, totalTokens: -1e9 },
    { outputTokens: Number.POSITIVE_INFINITY },
    { costMicros: Number.NaN },
    { costMicros: -1e9 },
  ])("no response lifts them by its own data: %j [loop-2.8-1]", async (usage) => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      config: { maxTotalTokens: 150, maxCostMicros: 150 },
      steps: [
        costing(toolCall("echo"), usage),
        ...[1, 2].map(() => costing(toolCall("echo"), { costMicros: 100 })),
        text("never"),
      ],
    });
    expect(dataOf(await collect(session.submit("go")), "turn_limit")).toHaveLength(1);
    expect(parseBoundary(JSON.parse(JSON.stringify(session.save().boundary))).turns).toEqual(session.history);
  });

  test("an input that ends normally ends normally, for any usage [loop-2.8-1]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      config: { maxTotalTokens: 50 },
      steps: [costing(text("done"), {})],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "completed" }]);
  });

  test("cost stops it [loop-2.8-1]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      config: { maxCostMicros: 1_000 },
      steps: [costing(toolCall("echo"), { costMicros: 600 }), costing(toolCall("echo"), { costMicros: 600 })],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "turn_limit")).toEqual([{ limit: "max_cost_micros", count: 1_200 }]);
    expect(dataOf(events, "warning")).toEqual([]);
  });

  test.each([
    ["that was due", costing(toolCall("dump"), {})],
    ["behind a call that was too long", failure(new EngineError("llm.context_length", { provider: "anthropic" }))],
  ])("a summary %s counts before the next call [loop-2.8-1] [loop-8-6]", async (_, second) => {
    await using workspace = await openWorkspace();
    const { session, client } = createSession(workspace, {
      profile: createAnthropicProfile({ model: "m", contextWindowTokens: 1_000 }),
      tools: [tool("dump", () => "d".repeat(2_000))],
      compaction: createSummaryCompaction({ keepTurns: 0 }),
      config: { maxTotalTokens: 500 },
      steps: [costing(toolCall("dump"), {}), second, costing(text("in short"), { totalTokens: 500 }), text("never")],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "notification")).toMatchObject([{ kind: "compaction" }]);
    expect(dataOf(events, "turn_limit")).toMatchObject([{ limit: "max_total_tokens" }]);
    expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "turn_limit" }]);
    expect(client.requests).toHaveLength(3);
  });

  test("an unknown price does not count, which is reported once over all attempts [loop-2.8-1] [D9]", async () => {
    await using workspace = await openWorkspace();
    const stored: string[] = [];
    const config = { maxCostMicros: 1_000 };
    const { session } = createSession(workspace, {
      config,
      steps: [costing(toolCall("echo"), {}), costing(toolCall("echo"), { costMicros: 1 }), costing(text("done"), {})],
      onBoundary: async (boundary) => void stored.push(JSON.stringify(boundary)),
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "warning")).toMatchObject([{ kind: "cost_unknown" }]);
    expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "completed" }]);
    const later = createSession(workspace, {
      config,
      steps: [costing(toolCall("echo"), {}), costing(text("done"), {})],
      resumeFrom: JSON.parse(stored[1] ?? ""),
    });
    expect(dataOf(await collect(later.session.resume()), "warning")).toEqual([]);
    expect(later.session.usage.costMicros).toBeUndefined();
  });

  test("unknown prices are not reported if no limit needs them [loop-2.8-1]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, { steps: [costing(text("done"), {})] });
    expect(dataOf(await collect(session.submit("go")), "warning")).toEqual([]);
  });

  test("time stops it, excluding waits for inputs and answers, and continues to count after a crash [loop-2.8-1] [D9]", async () => {
    await using workspace = await openWorkspace();
    let now = 1_000_000;
    const stored: string[] = [];
    const takeTime = (): string => {
      now += 400;
      return "";
    };
    const slow = { ...tool("slow", takeTime), effects: "idempotent" as const };
    const setup = {
      config: { maxWallTimeMs: 1_000 },
      now: () => now,
      tools: [slow],
      askUser: async () => {
        now += 3_600_000;
        return { parts: [{ type: "text" as const, text: "blue" }] };
      },
    };
    const { session } = createSession(workspace, {
      ...setup,
      steps: [toolCall("ask_user", { question: "Which colour?" }), toolCall("slow"), text("done"), toolCall("slow")],
      onBoundary: async (boundary) => void stored.push(JSON.stringify(boundary)),
    });
    expect(dataOf(await collect(session.submit("go")), "turn_limit")).toEqual([]);
    now += 3_600_000;
    const later = createSession(workspace, {
      ...setup,
      steps: [toolCall("slow"), toolCall("slow"), text("never")],
      resumeFrom: JSON.parse(stored[3] ?? ""),
    });
    const events = await collect(later.session.resume());
    expect(dataOf(events, "turn_limit")).toEqual([{ limit: "max_wall_time_ms", count: 1_200 }]);
    expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "turn_limit" }]);
  });

  test("limits that were reached before a crash are still reached [loop-2.8-1] [D9]", async () => {
    await using workspace = await openWorkspace();
    const stored: string[] = [];
    const { session } = createSession(workspace, {
      steps: [costing(toolCall("echo"), { costMicros: 700 }), costing(text("done"), {})],
      onBoundary: async (boundary) => void stored.push(JSON.stringify(boundary)),
    });
    await collect(session.submit("go"));
    for (const [config, limit] of [
      [{ maxTotalTokens: 100 }, "max_total_tokens"],
      [{ maxCostMicros: 700 }, "max_cost_micros"],
    ] as const) {
      const resumeFrom = JSON.parse(stored[1] ?? "");
      const later = createSession(workspace, { config, steps: [text("never")], resumeFrom });
      expect(dataOf(await collect(later.session.resume()), "turn_limit")).toMatchObject([{ limit }]);
    }
  });
});
