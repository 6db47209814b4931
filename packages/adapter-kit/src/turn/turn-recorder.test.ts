import type { AgentEvent } from "@switchyard/contracts";
import { createMasker } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { createUsageAccumulator } from "../usage/create-usage-accumulator.ts";
import { DEFAULT_TIMEOUTS, startTurnClock } from "./turn-clock.ts";
import { TurnRecorder } from "./turn-recorder.ts";

const SECRET = "sk-test-0123456789abcdefghij";

function record() {
  const events: AgentEvent[] = [];
  const recorder = new TurnRecorder({
    memory: { sessionId: "", isAnnounced: false, usage: createUsageAccumulator() },
    masker: createMasker([SECRET]),
    now: () => 0,
    deliver: (event) => events.push(event),
    onQuestion: () => {},
    clock: startTurnClock({ ...DEFAULT_TIMEOUTS, turnTimeoutMs: 0, startupTimeoutMs: 0, stallTimeoutMs: 0 }, []),
  });
  return { recorder, events };
}

const longText = (chars: number) => `begin${"x".repeat(chars - 8)}end`;

test("a text keeps its beginning and end, up to 1 MiB", () => {
  const { recorder, events } = record();
  recorder.text(longText(1024 * 1024));
  expect(events.at(-1)?.message).toHaveLength(1024 * 1024);
  recorder.text(longText(1024 * 1024 + 7));
  expect(events.at(-1)?.message).toMatch(/^beginx+\n… \(7 characters left out\) …\nx+end$/);
  expect(recorder.finalMessage).toBe(events.at(-1)?.message);
});

test("a tool output keeps its beginning and end, up to 256 KiB", () => {
  const { recorder, events } = record();
  recorder.toolStarted({ id: "1", name: "shell", arguments: {} });
  recorder.toolEnded("1", { output: longText(256 * 1024 + 7) });
  expect(events.at(-1)?.message).toMatch(/^beginx+\n… \(7 characters left out\) …\nx+end$/);
});

test("the reason of a failure keeps the first 4096 characters, a notification the first 500", () => {
  const { recorder, events } = record();
  recorder.report({ kind: "failure", problem: longText(5_000) });
  expect(recorder.lastReport).toMatchObject({ kind: "failure", problem: `${longText(5_000).slice(0, 4_095)}…` });
  recorder.notify(longText(5_000));
  expect(events.at(-1)?.message).toBe(`${longText(5_000).slice(0, 499)}…`);
});

test("secrets are masked before a text is cut, so that no part of one is left at the cut", () => {
  const { recorder, events } = record();
  const half = "x".repeat(512 * 1024 - SECRET.length / 2);
  recorder.text(`${half}${SECRET}${half}${half}`);
  expect(events.at(-1)?.message).not.toContain(SECRET.slice(0, SECRET.length / 2));
});
