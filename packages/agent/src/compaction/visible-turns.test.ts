import { textOf } from "@switchyard/contracts";
import { inertEnvironment, scriptedClient, text, toolCalls } from "@switchyard/testkit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../test/run-session.ts";
import { createAnthropicProfile, Session, type Turn } from "../index.ts";

test("results are never separated from their calls, for any number of preserved turns, and summaries of summaries are shown once [loop-2.5-27]", () => {
  const timestamp = "2026-01-01T00:00:00.000Z";
  const step = fc.oneof(
    fc.constant("user" as const),
    fc.constant("round" as const),
    fc.record({ keptTurns: fc.nat(12) }),
  );
  return fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (script) => {
      const history: Turn[] = [];
      script.forEach((item, index) => {
        if (item === "user") history.push({ type: "user", content: `u${index}`, timestamp });
        else if (item === "round") {
          const calls = toolCalls([{ name: "echo", arguments: {}, id: `c${index}` }]).parts;
          const toolCallParts = calls.filter((part) => part.type === "tool_call");
          const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
          history.push({ type: "assistant", content: "", toolCalls: toolCallParts, usage, timestamp });
          const results = toolCallParts.map(({ id, name }) => ({
            ...{ type: "tool_result" as const, toolCallId: id, name },
            ...{ content: "r", isError: false },
          }));
          history.push({ type: "tool_results", results, timestamp });
        } else history.push({ type: "steering", content: `s${index}`, timestamp, compaction: item });
      });
      const client = scriptedClient([text("done")]);
      const profile = createAnthropicProfile({ model: "claude" });
      const session = new Session({ profile, environment: inertEnvironment(), client, history });
      await collect(session.submit("on"));
      const messages = client.requests[0]?.messages.slice(1) ?? [];
      messages.forEach(({ role }, index) => {
        expect(messages[index + 1]?.role === "tool").toBe(role === "assistant");
      });
      const summaries = messages.map(textOf).filter((content) => content.startsWith("s"));
      expect(summaries.length).toBe(script.some((item) => typeof item === "object") ? 1 : 0);
      expect(session.history.length).toBe(history.length + 2);
    }),
    { numRuns: 200 },
  );
});
