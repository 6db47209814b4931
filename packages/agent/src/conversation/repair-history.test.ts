import { NO_USAGE, type Part, type ToolResultPart } from "@switchyard/contracts";
import { inertEnvironment, scriptedClient, text } from "@switchyard/testkit";
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

/**
 * Returns whether every provider would accept the history: exactly one result per call, directly after the calls and in
 * order. Call ids must be unique and not empty.
 */
function isValid(history: readonly Turn[]): boolean {
  const calls = history.flatMap((turn) => (turn.type === "assistant" ? turn.toolCalls.map(({ id }) => id) : []));
  if (new Set(calls).size < calls.length || calls.includes("")) return false;
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

test("results are moved after their calls; those without a call are removed", () => {
  expect(repairHistory([user, assistant("1"), steering, results("1", "9")])).toEqual([
    user,
    assistant("1"),
    results("1"),
    steering,
  ]);
  expect(repairHistory([results("1"), user])).toEqual([user]);
});

test("calls with a shared or missing id get unique ids and retain their results", () => {
  const [, first, ofFirst, second, ofSecond] = repairHistory([
    ...[user, assistant("a", "a"), results("a"), results("a")],
    ...[assistant("a", "", "a-2"), results("a-2", "", "a")],
  ]);
  const textOf = (turn: Turn | undefined) =>
    turn?.type === "tool_results" ? turn.results.map(({ toolCallId, content }) => [toolCallId, content]) : [];
  expect(textOf(ofFirst)).toEqual([
    ["a", "result of a"],
    ["a-2", "result of a"],
  ]);
  const ids = [first, second].flatMap((turn) => (turn?.type === "assistant" ? turn.toolCalls.map(({ id }) => id) : []));
  expect(new Set(ids).size).toBe(5);
  expect(ids).not.toContain("");
  expect(textOf(ofSecond).map(([id]) => id)).toEqual(ids.slice(2));
  expect(textOf(ofSecond).map(([, content]) => content)).toEqual(["result of a", "result of ", "result of a-2"]);
});

test("calls are also renamed in the provider's message", async () => {
  const client = scriptedClient([text("done")]);
  const turn = assistant("call_0");
  if (turn.type !== "assistant") throw new Error("it is an answer");
  const parts: Part[] = [{ type: "text", text: "x" }, ...turn.toolCalls];
  const answer: Turn = { ...turn, message: { role: "assistant", parts } };
  const session = new Session({
    profile: createOpenAiProfile({ model: "m" }),
    environment: inertEnvironment(),
    client,
    history: [user, answer, results("call_0"), answer, results("call_0")],
  });
  await collect(session.submit("on"));
  const sent = client.requests[0]?.messages.flatMap((message) => message.parts) ?? [];
  const callIds = sent.flatMap((part) => (part.type === "tool_call" ? [part.id] : []));
  expect(new Set(callIds).size).toBe(2);
  expect(sent.flatMap((part) => (part.type === "tool_result" ? [part.toolCallId] : []))).toEqual(callIds);
});

test("a history cut anywhere, with anything missing, is valid after the repair [loop-2.5-27]", () => {
  const ids = fc.array(fc.constantFrom("1", "2", "3", "4", "2-2", ""), { maxLength: 3 });
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

test("a session continues from a truncated history [loop-2.5-27]", async () => {
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
