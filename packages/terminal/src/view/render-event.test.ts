import type { Envelope, EventPayloads, EventType } from "@switchyard/contracts";
import { isEnvelope } from "@switchyard/contracts/schemas";
import { createColors } from "picocolors";
import { expect, test } from "vitest";
import { renderEvent } from "./render-event.ts";

/** Sequence that clears a terminal. Part of every untrusted text in these tests. */
const CLEAR = "\u001b[2J";
const error = { code: "model.overloaded", message: `over${CLEAR}loaded`, class: "x", remedy: "wait", retryable: true };

function event<T extends EventType>(type: T, payload: EventPayloads[T]): Envelope {
  const common = { id: "1", type, subject: "s", time: "2026-01-01T00:00:00Z", attempt: 1, headers: {} };
  const envelope: unknown = { ...common, payload };
  if (!isEnvelope(envelope)) throw new TypeError(`The test's ${type} is no envelope.`);
  return envelope;
}

test.each([
  event("user_input", { content: `in${CLEAR}put` }),
  event("steering_injected", { content: `in${CLEAR}put` }),
  event("model_fallback", { from: `first/a${CLEAR}`, to: `second/b${CLEAR}`, error }),
  event("warning", { message: `warn${CLEAR}ing`, kind: `k${CLEAR}` }),
  event("notification", { message: `note${CLEAR}`, kind: "note" }),
  event("model_request_refused", { request: 1, code: "c", message: `refu${CLEAR}sed`, is_foreign_token: false }),
  event("network_request_decided", {
    ...{ kind: "tunnel", host: "a.example", port: 443, reason: "host_not_listed", message: `refu${CLEAR}sed` },
    verdict: "refused",
  }),
])("no control character of an event reaches the terminal: $type", (envelope) => {
  const lines = renderEvent(envelope, { colours: createColors(false), columns: 200 });
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join("\n")).not.toContain("\u001b");
});

test("a refused network request is a notice with its reason, and an allowed one is not shown", () => {
  const style = { colours: createColors(false), columns: 200 };
  const decision = { kind: "tunnel", host: "a.example", port: 443, reason: "r", message: "It was refused." } as const;
  expect(renderEvent(event("network_request_decided", { ...decision, verdict: "refused" }), style)).toEqual([
    "! It was refused.",
  ]);
  expect(renderEvent(event("network_request_decided", { ...decision, verdict: "allowed" }), style)).toEqual([]);
  const refusal = { request: 1, code: "gateway.token_unknown", message: "The token is wrong.", is_foreign_token: true };
  expect(renderEvent(event("model_request_refused", refusal), style)).toEqual([
    "! The model gateway refused a request: The token is wrong.",
  ]);
});
