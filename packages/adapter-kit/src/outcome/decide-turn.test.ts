import { describe, expect, test } from "vitest";
import { decideTurn, mayRetry, retryDelayMs, type TurnEvidence } from "../index.ts";

const EVIDENCE: TurnEvidence = { responded: true, worked: true, command: "acme", stderr: "" };
const judge = (evidence: Partial<TurnEvidence>) => {
  const { exitReason, error } = decideTurn({ ...EVIDENCE, ...evidence });
  return [exitReason, error?.code];
};
const exit = { exitCode: 0 };
const success = { kind: "success" } as const;
const failure = { kind: "failure", problem: "no" } as const;

describe("the table of outcomes, first match [adapter-outcome-1]", () => {
  test("a turn that we stopped has our reason, whatever else failed [adapter-outcome-2] [adapter-timeouts-1]", () => {
    const all = { question: "?", report: success, exit, readFailure: new Error("x") };
    expect(judge({ ...all, stop: { kind: "cancelled" } })).toEqual(["turn_cancelled", "adapter.turn_cancelled"]);
    const late = { kind: "turn_timeout", timeoutMs: 5 } as const;
    expect(judge({ ...all, stop: late })).toEqual(["turn_failed", "adapter.turn_timeout"]);
    expect(judge({ ...all, stop: { ...late, kind: "silence" } })).toEqual(["turn_failed", "adapter.response_timeout"]);
  });

  test("then a question, then the report [adapter-outcome-12] [adapter-outcome-7] [adapter-structured-output-5]", () => {
    expect(judge({ question: "?", report: success })).toEqual(["turn_input_required", "adapter.turn_input_required"]);
    expect(judge({ report: success, exit })).toEqual(["turn_completed", undefined]);
    expect(judge({ report: success, exit, worked: false })).toEqual(["turn_failed", "adapter.turn_failed"]);
    const text = { ...success, text: "Total cost: $0.12" };
    expect(judge({ report: text, exit, worked: false })).toEqual(["turn_completed", undefined]);
    expect(judge({ report: { ...success, text: " \n" }, exit, worked: false })[0]).toBe("turn_failed");
    expect(judge({ report: failure, exit })).toEqual(["turn_failed", "adapter.turn_failed"]);
    const refused = { ...failure, code: "adapter.response_error" } as const;
    expect(judge({ report: refused, exit, worked: false, responded: false })).toEqual([
      "turn_failed",
      "adapter.response_error",
    ]);
    expect(judge({ report: { kind: "incomplete" } })).toEqual(["turn_failed", "adapter.turn_incomplete"]);
  });

  test("then output that could not be read, and the end of the process [adapter-outcome-5] [adapter-outcome-4] [adapter-outcome-3]", () => {
    expect(judge({ readFailure: new Error("x"), exit })).toEqual(["turn_failed", "adapter.port_exit"]);
    expect(judge({})).toEqual(["turn_failed", "adapter.port_exit"]);
    expect(judge({ exit: { exitCode: 127 } })).toEqual(["turn_failed", "adapter.agent_not_found"]);
    expect(judge({ exit: { exitCode: 143, signal: "SIGTERM" } })).toEqual(["turn_failed", "adapter.port_exit"]);
    expect(judge({ exit: { exitCode: 255 } })).toEqual(["turn_failed", "adapter.port_exit"]);
    expect(judge({ exit })).toEqual(["turn_completed", undefined]);
    expect(judge({ exit, worked: false })).toEqual(["turn_failed", "adapter.turn_failed"]);
  });

  test("a failed ssh connection may be retried and says so [adapter-ssh-3]", () => {
    const { error } = decideTurn({
      ...EVIDENCE,
      isRemote: true,
      exit: { exitCode: 255 },
      stderr: "Connection refused",
    });
    expect(error?.message).toContain("the connection failed: Connection refused");
    expect(mayRetry(error)).toBe(true);
  });
});

test("the wait doubles from ten seconds up to five minutes [adapter-error-kinds-4]", () => {
  expect([1, 2, 3, 5, 6, 60].map((attempt) => retryDelayMs(attempt))).toEqual([
    10_000, 20_000, 40_000, 160_000, 300_000, 300_000,
  ]);
});

test("errors of no known kind may be tried again", () => {
  expect(mayRetry(new Error("x"))).toBe(true);
  expect(mayRetry(decideTurn({ ...EVIDENCE, question: "?" }).error)).toBe(false);
});
