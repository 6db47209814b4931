import { NO_USAGE, type ToolResultPart } from "@switchyard/contracts";
import { scriptedClient, text } from "@switchyard/testkit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect } from "../../test/run-session.ts";
import { createOpenAiProfile, repairHistory, Session, type Turn } from "../index.ts";

const timestamp = "2026-01-01T00:00:00.000Z";

function assistant(...ids: string[]): Turn {
  const toolCalls = ids.map((id) => ({ type: "tool_call" as const, id, name: "shell", arguments: "{}" }));
  return { type: "assistant", content: "x", toolCalls, usage: { ...NO_USAGE }, timestamp };
}

function result(toolCallId: string): ToolResultPart {
  return { type: "tool_result", toolCallId, name: "shell", content: `result of ${toolCallId}`, isError: false };
}

function results(...ids: string[]): Turn {
  return { type: "tool_results", results: ids.map(result), timestamp };
}

const user: Turn = { type: "user", content: "go", timestamp };
const steering: Turn = { type: "steering", content: "s", timestamp };

/** What every provider asks for: directly behind the calls exactly one result for each, in order. */
function isValid(history: readonly Turn[]): boolean {
  return history.every((turn, index) => {
    const next = history[index + 1];
    if (turn.type === "assistant" && turn.toolCalls.length > 0) {
      const ids = next?.type === "tool_results" ? next.results.map(({ toolCallId }) => toolCallId) : [];
      return JSON.stringify(ids) === JSON.stringify(turn.toolCalls.map(({ id }) => id));
    }
    return next?.type !== "tool_results";
  });
}

test("a valid history stays as it is [loop-2.5-27]", () => {
  const history = [user, assistant("1", "2"), results("1", "2"), steering, assistant()];
  expect(repairHistory(history)).toEqual(history);
});

test("calls without a result get one whose outcome is unknown [loop-2.5-27] [loop-C-1]", () => {
  const [, , repaired] = repairHistory([user, assistant("1", "2"), results("2")]);
  expect(repaired).toMatchObject({
    results: [{ toolCallId: "1", isError: true, content: expect.stringMatching(/^unknown_outcome/) }, result("2")],
  });
});

test("results move behind their calls; those without a call go", () => {
  expect(repairHistory([user, assistant("1"), steering, results("1", "9")])).toEqual([
    user,
    assistant("1"),
    results("1"),
    steering,
  ]);
  expect(repairHistory([results("1"), user])).toEqual([user]);
});

test("a history cut anywhere, with anything missing, is valid after the repair [loop-2.5-27]", () => {
  const ids = fc.uniqueArray(fc.constantFrom("1", "2", "3", "4"), { maxLength: 3 });
  const turn = fc.oneof(
    fc.constant(user),
    fc.constant(steering),
    ids.map((list) => assistant(...list)),
    ids.map((list) => results(...list)),
  );
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 12 }), (history) => {
      const repaired = repairHistory(history);
      expect(isValid(repaired)).toBe(true);
      expect(repairHistory(repaired)).toEqual(repaired);
    }),
    { numRuns: 1_000 },
  );
});

test("a session goes on from a history that was cut short [loop-2.5-27]", async () => {
  await using workspace = await openWorkspace();
  const client = scriptedClient([text("done")]);
  const session = new Session({
    profile: createOpenAiProfile({ model: "m" }),
    environment: workspace.environment,
    client,
    history: [user, assistant("1")],
    config: { maxTurns: 1 },
  });
  await collect(session.submit("on"));
  expect(client.requests[0]?.messages.map((message) => message.role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "user",
  ]);
  expect(session.turns).toBe(1);
});
