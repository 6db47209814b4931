import { EngineError, HEADER } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { createEnvelope } from "../index.ts";

const marks = { runId: "r", attempt: 2, now: () => Date.UTC(2026, 0, 1), createId: () => "id" };

test("an envelope has id, subject, time, attempt, headers and payload, and a span inside of one [engine-envelope-1]", () => {
  const warning = { message: "careful" };
  expect(createEnvelope("warning", warning, marks)).toEqual({
    id: "id",
    type: "warning",
    subject: "engine.run.r.session._.warning",
    time: "2026-01-01T00:00:00.000Z",
    attempt: 2,
    headers: { run_id: "r" },
    payload: warning,
  });
  const full = createEnvelope("warning", warning, {
    ...marks,
    actor: "coder.node.plan",
    source: "agent",
    headers: { [HEADER.tenant]: "acme" },
    span: { traceId: "t", spanId: "s" },
  });
  expect(full).toMatchObject({ source: "agent", trace_id: "t", span_id: "s" });
  expect(full.headers).toEqual({ run_id: "r", agent_id: "coder", node_id: "plan", tenant: "acme" });
});

test("an envelope whose subject would be invalid is refused [engine-envelope-2]", () => {
  expect(() => createEnvelope("warning", { message: "" }, { ...marks, runId: "r".repeat(2000) })).toThrow(EngineError);
});

test("consecutive envelopes go to their own subjects, and share no mutable headers", () => {
  const made = (["a", "a", "b", undefined] as const).flatMap((actor) => [
    createEnvelope("warning", { message: "" }, { ...marks, actor }),
    createEnvelope("assistant_text_delta", { type: "token", content: "" }, { ...marks, actor, runId: "other" }),
    createEnvelope("assistant_text_delta", { type: "token", content: "" }, { ...marks, actor }),
  ]);
  expect(made.map(({ subject, headers }) => `${subject} ${headers[HEADER.runId]} ${headers[HEADER.agentId]}`)).toEqual(
    ["a", "a", "b", undefined].flatMap((actor) => [
      `engine.run.r.session.${actor ?? "_"}.warning r ${actor}`,
      `engine.run.other.stream.${actor ?? "_"}.delta other ${actor}`,
      `engine.run.r.stream.${actor ?? "_"}.delta r ${actor}`,
    ]),
  );
  const again = createEnvelope("warning", { message: "" }, { ...marks, headers: { [HEADER.tenant]: "acme" } });
  expect(again.headers).toEqual({ run_id: "r", tenant: "acme" });
  expect(made.every(({ headers }) => Object.isFrozen(headers))).toBe(true);
});
