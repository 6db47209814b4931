import { describe, expect, test } from "vitest";
import { EVENT_TABLE, EVENT_TYPES, isEventType } from "../index.ts";

/** See loop: §2.9 */
const LOOP_KINDS = [
  "SESSION_START",
  "SESSION_END",
  "USER_INPUT",
  "PROCESSING_END",
  "ASSISTANT_TEXT_START",
  "ASSISTANT_TEXT_DELTA",
  "ASSISTANT_TEXT_END",
  "TOOL_CALL_START",
  "TOOL_CALL_OUTPUT_DELTA",
  "TOOL_CALL_END",
  "STEERING_INJECTED",
  "TURN_LIMIT",
  "LOOP_DETECTION",
  "WARNING",
  "ERROR",
];

/** See agent-adapter: event vocabulary, with the rest of it from the field notes */
const ADAPTER_TYPES = [
  "session_started",
  "startup_failed",
  "turn_completed",
  "turn_failed",
  "turn_cancelled",
  "turn_ended_with_error",
  "turn_input_required",
  "approval_auto_approved",
  "unsupported_tool_call",
  "token_usage",
  "notification",
  "other_message",
  "malformed",
  "tool_result",
];

const rows = EVENT_TYPES.map((type) => ({ type, ...EVENT_TABLE[type] }));

describe("event table", () => {
  test("maps every kind of the loop once, under the same name in lower case", () => {
    const mapped = rows.filter((row) => row.specified.loop !== undefined);
    expect(mapped.map((row) => row.specified.loop).sort()).toEqual([...LOOP_KINDS].sort());
    for (const row of mapped) expect(row.type).toBe(row.specified.loop?.toLowerCase());
  });

  test("maps every type of the adapters once", () => {
    expect(rows.flatMap((row) => row.specified.adapter ?? []).sort()).toEqual([...ADAPTER_TYPES].sort());
  });

  test("the three standard deltas and the lifecycle of runs and steps are mapped as the engine contract says", () => {
    const routed = rows.filter((row) => row.specified.engine !== undefined);
    const subjects = routed.map((row) => [row.specified.engine, row.subject]).sort();
    expect(subjects).toEqual([
      ["end", "run.end"],
      ["start", "run.start"],
      ["step.complete", "step.complete"],
      ["step.error", "step.error"],
      ["step.start", "step.start"],
      ["token", "stream.delta"],
      ["tool_call", "stream.delta"],
      ["tool_result", "stream.delta"],
    ]);
  });

  test("only increments are not stored", () => {
    const ephemeral = rows.filter((row) => !row.persisted).map((row) => row.type);
    expect(ephemeral.sort()).toEqual([
      "assistant_text_delta",
      "reasoning_delta",
      "stream_delta",
      "tool_call_output_delta",
    ]);
  });

  test("every event has a publisher and a description", () => {
    for (const row of rows) {
      expect(row.emittedBy.length).toBeGreaterThan(0);
      expect(row.summary).toMatch(/^[A-Z].*\.$/);
    }
    expect(isEventType("toString")).toBe(false);
  });
});
