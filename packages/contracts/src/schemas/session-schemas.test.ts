import { describe, expect, test } from "vitest";
import {
  envelopeSchema,
  isEnvelope,
  jsonSchemas,
  sessionInputSchema,
  sessionReportSchema,
  sessionResultSchema,
} from "./index.ts";

const input = { messages: [{ role: "user", content: "Fix the test." }], max_turns: 3, kwargs: { profile: "strict" } };

describe("sessionInputSchema", () => {
  test("accepts the documented form and ignores unknown fields [custom-session-input-3, custom-session-input-4, custom-session-input-6]", () => {
    expect(sessionInputSchema.parse({ ...input, later: true })).toEqual(input);
  });

  test.each([
    ["no messages", {}],
    ["an unknown role", { messages: [{ role: "robot", content: "" }] }],
    ["content that is no text", { messages: [{ role: "user", content: ["a"] }] }],
    ["a kwarg that is no text", { ...input, kwargs: { max: 3 } }],
    ["negative turns", { ...input, max_turns: -1 }],
  ])("rejects %s", (_, value) => {
    expect(sessionInputSchema.safeParse(value).success).toBe(false);
  });
});

describe("sessionResultSchema", () => {
  test("requires exit_code and final_message; 0 and the empty text are valid [custom-session-result-1]", () => {
    expect(sessionResultSchema.parse({ exit_code: 0, final_message: "" })).toEqual({ exit_code: 0, final_message: "" });
    expect(sessionResultSchema.safeParse({ final_message: "done" }).success).toBe(false);
    expect(sessionResultSchema.safeParse({ exit_code: "0", final_message: "done" }).success).toBe(false);
  });

  test("an artifact requires a name [custom-result-bounds-5]", () => {
    const withFile = (file: object) => ({ exit_code: 0, final_message: "", artifacts: { files: [file] } });
    expect(sessionResultSchema.safeParse(withFile({ name: "report.md", content: "x" })).success).toBe(true);
    expect(sessionResultSchema.safeParse(withFile({ name: "", content: "x" })).success).toBe(false);
    expect(sessionResultSchema.safeParse(withFile({ content: "x" })).success).toBe(false);
  });
});

describe("envelopeSchema", () => {
  const envelope = {
    id: "1",
    type: "user_input",
    subject: "engine.run.r1.session.agent.user_input",
    time: "2026-01-01T00:00:00.000Z",
    seq: 1,
    attempt: 1,
    headers: { run_id: "r1" },
    payload: { content: "hello", later: 1 },
  };

  test("preserves a payload's unknown fields", () => {
    expect(envelopeSchema.parse(envelope)).toEqual(envelope);
  });

  test("distinguishes events of this release from unknown ones", () => {
    expect(isEnvelope(envelope)).toBe(true);
    expect(isEnvelope({ ...envelope, type: "from_the_future" })).toBe(false);
    expect(isEnvelope({ ...envelope, seq: 0 })).toBe(false);
  });
});

describe("jsonSchemas", () => {
  test("publishes the seven documents that cross a process, with unknown fields allowed", () => {
    const schemas = jsonSchemas();
    expect(Object.keys(schemas).sort()).toEqual([
      "envelope",
      "run-record",
      "script-judge-answer",
      "script-judge-input",
      "session-input",
      "session-report",
      "session-result",
    ]);
    expect(JSON.stringify(schemas)).not.toContain('"additionalProperties":false');
  });
});

test("a report may lack its result and uses camelCase names", () => {
  const report = {
    runId: "r1",
    engine: "agent",
    status: "error",
    artifacts: [],
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    timing: { startedAt: "a", finishedAt: "b", durationMs: 1 },
  };
  expect(sessionReportSchema.parse(report)).toEqual(report);
  expect(sessionReportSchema.safeParse({ ...report, status: "unknown" }).success).toBe(false);
});
