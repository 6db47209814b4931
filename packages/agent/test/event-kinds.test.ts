import { EngineError, type EventType } from "@switchyard/contracts";
import { failure, text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { createOpenAiProfile, type Session, type SessionEvent } from "../src/index.ts";
import { openWorkspace } from "./open-workspace.ts";
import { collect, createSession, dataOf, tool } from "./run-session.ts";

/** Event types that the specification lists. loop: §2.9. */
const KINDS: readonly EventType[] = [
  "session_start",
  "session_end",
  "user_input",
  "processing_end",
  "assistant_text_start",
  "assistant_text_delta",
  "assistant_text_end",
  "tool_call_start",
  "tool_call_output_delta",
  "tool_call_end",
  "steering_injected",
  "turn_limit",
  "loop_detection",
  "warning",
  "error",
];

/**
 * Returns the event types of a processing cycle in order. Consecutive increments count as one, and usage reports are
 * omitted, because they are not part of the loop's specification.
 */
function story(events: readonly SessionEvent[]): readonly string[] {
  const types = events.map(({ type }) => type).filter((type) => type !== "usage_reported");
  return types.filter((type, index) => !type.endsWith("_delta") || type !== types[index - 1]);
}

const ANSWER = ["assistant_text_start", "assistant_text_delta", "assistant_text_end"];
const CALLS = ["assistant_text_start", "assistant_text_end"];
const COMMAND = ["tool_call_start", "tool_call_output_delta", "tool_call_end"];

test("each kind of event is there at its moment [loop-9.10-1] [loop-9.10-4]", async () => {
  await using workspace = await openWorkspace();
  const sessions: Session[] = [];
  const steer = tool("steer", () => {
    for (const session of sessions) session.steer("Mind the gap.");
    return "steered";
  });
  const again = toolCall("shell", { command: "echo again" });
  const { session } = createSession(workspace, {
    profile: createOpenAiProfile({ model: "gpt", contextWindowTokens: 300 }),
    config: { loopDetectionWindow: 2, maxToolRoundsPerInput: 3 },
    tools: [steer],
    steps: [
      ...[toolCall("steer"), again, again],
      ...[text("I stop."), text("word ".repeat(300))],
      failure(new EngineError("llm.authentication", { provider: "openai", problem: "no such key" })),
    ],
  });
  sessions.push(session);
  const all = collect(session.events());

  const limited = await collect(session.submit("Go."));
  expect(story(limited)).toEqual([
    ...["session_start", "user_input"],
    ...[...CALLS, "tool_call_start", "tool_call_end", "steering_injected"],
    ...[...CALLS, ...COMMAND],
    ...[...CALLS, ...COMMAND, "loop_detection"],
    ...["turn_limit", "processing_end"],
  ]);
  expect(dataOf(limited, "processing_end")).toEqual([{ outcome: "turn_limit", rounds: 3 }]);

  const stopped = await collect(session.submit("And?"));
  expect(story(stopped)).toEqual(["user_input", ...ANSWER, "processing_end"]);

  const long = await collect(session.submit("Say more."));
  expect(story(long)).toEqual(["user_input", ...ANSWER, "warning", "processing_end"]);
  expect(dataOf(long, "warning")).toMatchObject([{ kind: "context_usage" }]);

  const failed = await collect(session.submit("Once more."));
  expect(story(failed).slice(-2)).toEqual(["error", "session_end"]);
  expect(dataOf(failed, "session_end")).toEqual([{ session_id: session.id, state: "closed" }]);
  expect(session.state).toBe("closed");

  const types = (await all).map(({ type }) => type);
  expect([types[0], types.at(-1)]).toEqual(["session_start", "session_end"]);
  const kinds = new Set(types);
  expect(KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
});
