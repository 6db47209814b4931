import { type Envelope, type EventPayloads, type EventType, HEADER } from "@switchyard/contracts";
import { isEnvelope } from "@switchyard/contracts/schemas";
import { expect, test } from "vitest";
import type { TextInput, TextOutput } from "../streams/terminal.ts";
import { createLiveView } from "./live-view.ts";
import { createPlainView } from "./plain-view.ts";

function collectOutput(): TextOutput & { text(): string } {
  let written = "";
  return {
    ...{ isTerminal: true, hasColour: false, columns: 60 },
    ...{ closed: new AbortController().signal, readerGone: new AbortController().signal },
    write: (text) => {
      written += text;
    },
    flushed: () => Promise.resolve(),
    text: () => written,
  };
}

function event<T extends EventType>(agent: string, type: T, payload: EventPayloads[T]): Envelope {
  const envelope: unknown = {
    ...{ id: "1", type, subject: "s", time: "2026-01-01T00:00:00Z", attempt: 1 },
    headers: { [HEADER.agentId]: agent },
    payload,
  };
  if (!isEnvelope(envelope)) throw new TypeError(`The test's ${type} is no envelope.`);
  return envelope;
}

/** Nobody types. */
const stdin: TextInput = {
  isTerminal: false,
  readAll: () => Promise.resolve(""),
  dropTyped: () => Promise.resolve(),
  readLine: () => Promise.resolve(undefined),
  readKeys: () => undefined,
};

const shell = (agent: string, id: string, command: string): Envelope =>
  event(agent, "tool_call_start", { type: "tool_call", id, name: "shell", arguments: JSON.stringify({ command }) });
const done = (agent: string, id: string, content: string): Envelope =>
  event(agent, "tool_call_end", { type: "tool_result", tool_call_id: id, name: "shell", content, duration_ms: 5 });

/** Events of an agent and a subagent that work at the same time. Their calls have the same ids. */
const EVENTS: readonly Envelope[] = [
  event("agent", "session_start", { session_id: "s1" }),
  event("agent", "user_input", { content: "Fix it" }),
  event("agent", "subagent_started", { agent_id: "agent-1", content: "Look at\nthe tests", status: "running" }),
  event("agent-1", "session_start", { session_id: "s2" }),
  event("agent-1", "user_input", { content: "Look at\nthe tests" }),
  shell("agent", "call_1", "ls"),
  shell("agent-1", "call_1", "npm test"),
  event("agent-1", "assistant_text_delta", { type: "token", content: "Half" }),
  done("agent-1", "call_1", "many\nlines"),
  done("agent", "call_1", "a.ts"),
  event("agent-1", "warning", { message: "The answer was cut off." }),
  event("agent-1", "assistant_text_end", { content: "Two tests fail.\nAnd more." }),
  event("agent", "subagent_ended", { agent_id: "agent-1", content: "Two tests fail.\nAnd more.", status: "completed" }),
  event("agent", "assistant_text_end", { content: "I know why." }),
];

const LINES = [
  "> Fix it",
  "⇢ agent-1: Look at",
  "→ shell ls",
  "agent-1 → shell npm test",
  "agent-1   ✓ shell 5 ms",
  "  ✓ shell ls 5 ms",
  "    a.ts",
  "agent-1 ! The answer was cut off.",
  "⇠ agent-1: Two tests fail.",
  "I know why.",
];

test("in a pipe, each action of a subagent is one line with its name, separate from its parent's text", () => {
  const stdout = collectOutput();
  const view = createPlainView(stdout);
  for (const one of EVENTS) view.show(one);
  expect(stdout.text().trimEnd().split("\n")).toEqual(LINES);
});

test("on a terminal, the footer shows which agent runs which call, and each call ends separately", () => {
  const stdout = collectOutput();
  const view = createLiveView({ stdout, stdin, now: () => 0 });
  for (const one of EVENTS.slice(0, 7)) view.show(one);
  expect(stdout.text()).toMatch(/· shell ls, agent-1 shell npm test/);
  for (const one of EVENTS.slice(7, 9)) view.show(one);
  expect(stdout.text()).toMatch(/· shell ls$/);
  for (const one of EVENTS.slice(9)) view.show(one);
  view.close();
  for (const line of LINES) expect(stdout.text()).toContain(line);
  expect(stdout.text()).not.toContain("Half");
});
