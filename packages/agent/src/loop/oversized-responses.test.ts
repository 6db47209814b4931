import type { Client, Part, StreamEvent, Usage } from "@switchyard/contracts";
import { answer, scriptedClient, text } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf } from "../../test/run-session.ts";
import { createAnthropicProfile, Session } from "../index.ts";

/** Creates a client whose stream repeats an event without end. */
function endless(event: StreamEvent): Client & { readonly emitted: number; readonly isClosed: boolean } {
  let emitted = 0;
  let isClosed = false;
  return {
    ...scriptedClient([]),
    async *stream() {
      try {
        while (true) {
          emitted += 1;
          yield event;
        }
      } finally {
        isClosed = true;
      }
    },
    get emitted() {
      return emitted;
    },
    get isClosed() {
      return isClosed;
    },
  };
}

describe("an answer that is too large", () => {
  const chunk = "x".repeat(100);

  test.each<StreamEvent>([
    { type: "text_delta", textId: "1", text: chunk },
    { type: "reasoning_delta", reasoningId: "1", text: chunk },
    { type: "tool_call_delta", callId: "1", argumentsDelta: chunk },
  ])("is cut off with a typed error while it comes, and the session goes on: $type", async (event) => {
    await using workspace = await openWorkspace();
    const client = endless(event);
    const session = new Session({
      profile: createAnthropicProfile({ model: "m" }),
      environment: workspace.environment,
      client,
      config: { maxResponseChars: 1_000 },
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "error")).toMatchObject([{ code: "llm.answer_too_large" }]);
    expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "failed" }]);
    expect(client.emitted).toBe(11);
    expect(client.isClosed).toBe(true);
    expect(session.history).toHaveLength(1);
    expect(session.state).toBe("idle");
  });

  test.each<[string, Part]>([
    ["text", { type: "text", text: "x".repeat(1_001) }],
    ["arguments", { type: "tool_call", id: "1", name: "echo", arguments: `{"a":"${"x".repeat(1_000)}"}` }],
  ])("is refused where it comes in one piece as well: %s", async (_, part) => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      profile: createAnthropicProfile({ model: "m", supportsStreaming: false }),
      config: { maxResponseChars: 1_000 },
      steps: [{ kind: "answer", parts: [part] }, text("short")],
    });
    expect(dataOf(await collect(session.submit("go")), "error")).toMatchObject([{ code: "llm.answer_too_large" }]);
    await collect(session.submit("shorter, please"));
    expect(session.history.at(-1)).toMatchObject({ content: "short" });
  });

  test("was paid for: it counts, and the host receives the usage [loop-2.8-1] [D14]", async () => {
    await using workspace = await openWorkspace();
    const reported: Usage[] = [];
    const { session } = createSession(workspace, {
      profile: createAnthropicProfile({ model: "m", supportsStreaming: false }),
      config: { maxResponseChars: 1_000, maxTotalTokens: 500 },
      reportUsage: async (usage) => void reported.push(usage),
      steps: [
        answer({ ...text("x".repeat(1_001)), usage: { inputTokens: 100, outputTokens: 400, totalTokens: 500 } }),
        text("never"),
      ],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "error")).toMatchObject([{ code: "llm.answer_too_large" }]);
    expect([session.usage.totalTokens, reported.map(({ totalTokens }) => totalTokens)]).toEqual([500, [500]]);
    expect(dataOf(events, "usage_reported")).toHaveLength(1);
    expect(dataOf(await collect(session.submit("again")), "turn_limit")).toMatchObject([{ limit: "max_total_tokens" }]);
  });
});
