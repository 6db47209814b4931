import type { Envelope, EventPayloads, EventType } from "@switchyard/contracts";
import { NO_USAGE } from "@switchyard/contracts";
import { isEnvelope } from "@switchyard/contracts/schemas";
import { expect, test } from "vitest";
import { loadMarkdown } from "../markdown/load-markdown.ts";
import type { TextInput, TextOutput } from "../streams/terminal.ts";
import { createLiveView } from "./live-view.ts";
import { createPlainView } from "./plain-view.ts";

/** Nobody types. */
const stdin: TextInput = {
  isTerminal: false,
  readAll: () => Promise.resolve(""),
  dropTyped: () => Promise.resolve(),
  readLine: () => Promise.resolve(undefined),
  readKeys: () => undefined,
};

const COLUMNS = 40;

function collectOutput(columns = COLUMNS): TextOutput & { text(): string } {
  let written = "";
  return {
    isTerminal: true,
    hasColour: false,
    columns,
    closed: new AbortController().signal,
    readerGone: new AbortController().signal,
    write: (text) => {
      written += text;
    },
    flushed: () => Promise.resolve(),
    text: () => written,
  };
}

/**
 * Returns what a terminal shows after it received a text. Understands only the sequences that the live view uses, and
 * fails on others.
 */
function screenOf(text: string): string[] {
  const lines = [""];
  let row = 0;
  for (const [token] of text.matchAll(/\p{Cc}\[\d*[A-Z]|\r|\n|\P{Cc}+/gu)) {
    if (token === "\n") {
      row += 1;
      lines[row] ??= "";
    } else if (token === "\u001b[2K") lines[row] = "";
    else if (token.startsWith("\u001b[")) row -= Number(token.slice(2, -1));
    else if (token !== "\r") lines[row] = `${lines[row]}${token}`;
  }
  const last = lines.findLastIndex((line) => line !== "");
  return lines.slice(0, Math.max(last, row) + 1);
}

function event<T extends EventType>(type: T, payload: EventPayloads[T]): Envelope {
  const envelope: unknown = {
    id: "1",
    type,
    subject: "s",
    time: "2026-01-01T00:00:00Z",
    attempt: 1,
    headers: {},
    payload,
  };
  if (!isEnvelope(envelope)) throw new TypeError(`The test's ${type} is no envelope.`);
  return envelope;
}

test("text streams, is wrapped to the terminal, and stays when the footer goes", () => {
  const stdout = collectOutput();
  const view = createLiveView({ stdout, stdin, now: () => 0 });
  view.show(event("assistant_text_delta", { type: "token", content: "The discount is rounded down and " }));
  view.show(event("assistant_text_delta", { type: "token", content: "not to the nearest cent." }));
  expect(screenOf(stdout.text())).toContain("The discount is rounded down and not to");
  view.show(event("assistant_text_end", { content: "The discount is rounded down and not to the nearest cent." }));
  view.close();
  expect(screenOf(stdout.text())).toEqual(["The discount is rounded down and not to", "the nearest cent.", ""]);
});

test("the footer counts down to the retry of a model call, until the next response begins", () => {
  const stdout = collectOutput(200);
  let nowMs = 0;
  const view = createLiveView({ stdout, stdin, now: () => nowMs });
  const error = { code: "llm.server_error", class: "not_available", message: "p failed.", remedy: "", retryable: true };
  const waits = { delay_ms: 8_000, waited_ms: 8_000, max_wait_ms: 600_000, is_partial: true };
  view.show(event("assistant_text_start", {}));
  view.show(event("assistant_text_delta", { type: "token", content: "Half" }));
  view.show(event("assistant_text_end", { content: "", finish_reason: "retried" }));
  view.show(event("model_call_retried", { attempt: 1, level: "turn", error, ...waits }));
  expect(screenOf(stdout.text()).join("\n")).toContain("The partial response is discarded. Retrying in 8.0 s");
  expect(screenOf(stdout.text()).at(-1)).toMatch(/· retrying the model in 8 s$/);
  nowMs = 3_500;
  view.show(event("usage_reported", { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }));
  expect(screenOf(stdout.text()).at(-1)).toMatch(/· retrying the model in 5 s$/);
  view.show(event("assistant_text_start", {}));
  expect(screenOf(stdout.text()).at(-1)).toMatch(/turn 1 .*· the model is thinking$/);
  view.close();
});

test("a running call is in the footer, an ended one above it with its output folded", () => {
  const stdout = collectOutput(60);
  const view = createLiveView({ stdout, stdin, now: () => 0 });
  view.show(
    event("tool_call_start", { type: "tool_call", id: "1", name: "shell", arguments: '{"command":"npm test"}' }),
  );
  expect(screenOf(stdout.text()).at(-1)).toMatch(/· shell npm test$/);
  const content = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\n");
  view.show(
    event("tool_call_end", { type: "tool_result", tool_call_id: "1", name: "shell", content, duration_ms: 1234 }),
  );
  expect(screenOf(stdout.text()).at(-1)).toMatch(/· the model is thinking$/);
  view.close();
  const shown = screenOf(stdout.text());
  expect(shown.slice(0, 3)).toEqual(["→ shell npm test", "  ✓ shell 1.2 s", "    line 1"]);
  expect(shown).toContain("    … 4 more lines");
});

test("the last lines that a running command wrote are in the footer until the command ends", () => {
  const stdout = collectOutput(60);
  const view = createLiveView({ stdout, stdin, now: () => 0 });
  const write = (content: string): void => view.show(event("tool_call_output_delta", { tool_call_id: "1", content }));
  const redraw = (): void => view.show(event("usage_reported", { usage: NO_USAGE }));
  view.show(
    event("tool_call_start", { type: "tool_call", id: "1", name: "shell", arguments: '{"command":"npm test"}' }),
  );
  write("test 1\ntest 2\ntest 3\n");
  write("test 4\ntest 5\ntest 6\n 10 %\r 20 %\u001b[2J\r\n");
  redraw();
  expect(screenOf(stdout.text()).slice(0, -1)).toEqual([
    ...["→ shell npm test", "    test 3", "    test 4", "    test 5", "    test 6", "     20 %␛[2J"],
  ]);
  view.show(event("tool_call_end", { type: "tool_result", tool_call_id: "1", name: "shell", content: "all passed" }));
  expect(screenOf(stdout.text()).slice(0, -1)).toEqual(["→ shell npm test", "  ✓ shell", "    all passed"]);
  view.close();
});

test("the footer is never higher than the terminal", () => {
  const stdout = { ...collectOutput(60), rows: 8 };
  const view = createLiveView({ stdout, stdin, now: () => 0 });
  view.show(event("tool_call_start", { type: "tool_call", id: "1", name: "shell", arguments: "{}" }));
  view.show(event("tool_call_output_delta", { tool_call_id: "1", content: "1\n2\n3\n4\n5\n6\n7\n8\n" }));
  view.show(event("usage_reported", { usage: NO_USAGE }));
  expect(screenOf(stdout.text()).slice(0, -1)).toEqual(["→ shell {}", "    7", "    8"]);
  view.close();
});

test("with a Markdown renderer, finished blocks are printed and an unfinished block is in the footer", async () => {
  const stdout = collectOutput(60);
  const view = createLiveView({ stdout, stdin, now: () => 0 }, undefined, await loadMarkdown());
  const redraw = (): void => view.show(event("usage_reported", { usage: NO_USAGE }));
  view.show(
    event("assistant_text_delta", { type: "token", content: "Two files:\n\n| File | Lines |\n|---|--:|\n| a.ts" }),
  );
  redraw();
  expect(screenOf(stdout.text()).slice(0, -1)).toEqual([
    ...["Two files:", "", "File │ Lines", "─────┼──────", "a.ts │"],
  ]);
  view.show(event("assistant_text_delta", { type: "token", content: " | 12 |\n" }));
  view.show(event("assistant_text_end", { content: "Two files: …" }));
  view.close();
  expect(screenOf(stdout.text())).toEqual(["Two files:", "", "File │ Lines", "─────┼──────", "a.ts │    12", ""]);
});

test("a result that does not directly follow its call names the call", () => {
  const stdout = collectOutput();
  const view = createPlainView(stdout);
  for (const [id, command] of [
    ["1", "sleep 5"],
    ["2", "ls"],
  ] as const) {
    const callArguments = JSON.stringify({ command });
    view.show(event("tool_call_start", { type: "tool_call", id, name: "shell", arguments: callArguments }));
  }
  for (const id of ["2", "1"]) {
    view.show(event("tool_call_end", { type: "tool_result", tool_call_id: id, name: "shell", content: "" }));
  }
  expect(stdout.text()).toBe("→ shell sleep 5\n→ shell ls\n  ✓ shell\n  ✓ shell sleep 5\n");
});

test("a footer that a narrower terminal has wrapped is erased completely", () => {
  const stdout = collectOutput(60);
  const narrowed = { ...stdout, columns: 60 };
  const view = createLiveView({ stdout: narrowed, stdin, now: () => 0 });
  const call = {
    type: "tool_call" as const,
    id: "1",
    name: "shell",
    arguments: JSON.stringify({ command: "x".repeat(80) }),
  };
  view.show(event("tool_call_start", call));
  const before = stdout.text().length;
  narrowed.columns = 20;
  view.close();
  const erase = "\u001b[2K";
  expect(stdout.text().slice(before)).toBe(`\r${[erase, erase, erase].join("\u001b[1A")}`);
});

test("tokens are shown after the first report of usage", () => {
  const stdout = collectOutput(80);
  const view = createLiveView({ stdout, stdin, now: () => 0 });
  view.show(event("user_input", { content: "Hello" }));
  expect(screenOf(stdout.text()).at(-1)).toMatch(/^\S 0 ms · the model is thinking$/);
  view.close();
});

test("tokens add up in the footer", () => {
  const stdout = collectOutput(80);
  const view = createLiveView({ stdout, stdin, now: () => 0 });
  const usage = { inputTokens: 1000, outputTokens: 20, totalTokens: 1020 };
  view.show(event("usage_reported", { usage }));
  view.show(event("usage_reported", { usage }));
  expect(screenOf(stdout.text()).at(-1)).toContain("2,000 tokens in, 40 out");
  view.close();
});

test("escapes of models and tools never reach the terminal", () => {
  for (const create of [createPlainView, (stdout: TextOutput) => createLiveView({ stdout, stdin, now: () => 0 })]) {
    const stdout = collectOutput();
    const evil = "\u001b]0;owned\u0007\u001b[2J\u009b2J";
    const view = create(stdout);
    view.show(event("assistant_text_delta", { type: "token", content: evil }));
    view.show(event("assistant_text_end", { content: evil }));
    view.show(
      event("tool_call_start", {
        type: "tool_call",
        id: "1",
        name: evil,
        arguments: JSON.stringify({ command: evil }),
      }),
    );
    view.show(event("tool_call_end", { type: "tool_result", tool_call_id: "1", name: evil, content: evil }));
    view.show(event("warning", { message: evil }));
    view.close();
    for (const sequence of ["\u001b]", "\u0007", "\u001b[2J", "\u009b"]) expect(stdout.text()).not.toContain(sequence);
  }
});

test("in a pipe, every line is complete and each text is printed once", () => {
  const stdout = collectOutput();
  const view = createPlainView(stdout);
  view.show(event("assistant_text_delta", { type: "token", content: "Hel" }));
  view.show(event("assistant_text_delta", { type: "token", content: "lo" }));
  view.show(event("assistant_text_end", { content: "Hello\n" }));
  view.show(
    event("tool_call_end", { type: "tool_result", tool_call_id: "1", name: "shell", content: "", is_error: true }),
  );
  expect(stdout.text()).toBe("Hello\n  ✗ shell failed\n");
});

test("an unfinished call of an earlier attempt is not shown as running, and a result without its call is shown", () => {
  const stdout = collectOutput(80);
  const view = createLiveView({ stdout, stdin, now: () => 0 });
  view.show(event("assistant_text_delta", { type: "token", content: "Half an ans" }));
  view.show(event("tool_call_start", { type: "tool_call", id: "1", name: "shell", arguments: { command: "sleep" } }));
  expect(screenOf(stdout.text()).at(-1)).toContain("shell sleep");
  view.show(event("run_start", { resumed: true }));
  expect(screenOf(stdout.text()).at(-1)).toContain("the model is thinking");
  view.show(
    event("tool_call_end", { type: "tool_result", tool_call_id: "2", name: "grep", content: "", is_error: true }),
  );
  view.show(event("assistant_text_end", { content: "A whole answer." }));
  view.close();
  const lines = ["→ shell sleep", "Half an ans", "  ✗ grep failed", "A whole answer."];
  expect(screenOf(stdout.text()).filter((line) => line !== "")).toEqual(lines);
});

test("a call that an earlier attempt left unfinished is shown as interrupted, with its name, not as a failure [D5]", () => {
  const stdout = collectOutput(80);
  const content = "unknown_outcome: the run was cut off, and a long sentence for the model follows here.";
  const details = { outcome: "unknown_outcome", arguments: '{"command":"make deploy"}' };
  const ended = { type: "tool_result", tool_call_id: "1", name: "shell", content, is_error: true, details } as const;
  createPlainView(stdout).show(event("tool_call_end", ended));
  expect(stdout.text()).toBe("  ? shell make deploy\n    was cut off; it may have had effects and is not repeated\n");
});

test("a request to stop names Ctrl-C only when a person made it", () => {
  const stdout = collectOutput(80);
  const view = createPlainView(stdout);
  view.show(event("interrupt_requested", { cause: "user_cancel" }));
  view.show(event("interrupt_requested", { cause: "host_shutdown" }));
  expect(stdout.text()).toBe("! Stopping. Press Ctrl-C again to stop immediately.\n! Stopping.\n");
});

test("the turns of the model are counted", () => {
  const stdout = collectOutput(60);
  const view = createLiveView({ stdout, stdin, now: () => 0 });
  view.show(event("assistant_text_start", {}));
  expect(screenOf(stdout.text()).at(-1)).toMatch(/ 0 ms · turn 1 · the model is thinking$/);
  view.show(event("assistant_text_start", {}));
  expect(screenOf(stdout.text()).at(-1)).toContain("· turn 2 ·");
  view.close();
});

test("typed text is shown below and sent with Enter; while a question is open, it receives the keys", () => {
  const stdout = collectOutput(60);
  const sent: string[] = [];
  let press: ((keys: string) => void) | undefined;
  const keys: TextInput = {
    ...stdin,
    readKeys: (listener) => {
      press = listener;
      return {
        isReading: true,
        stop: () => {
          press = undefined;
        },
      };
    },
  };
  const view = createLiveView({ stdout, stdin: keys, now: () => 0 }, (text) => sent.push(text));
  press?.("use spac");
  press?.("es");
  expect(screenOf(stdout.text()).at(-1)).toBe("› use spaces");
  press?.("\r");
  expect(sent).toEqual(["use spaces"]);
  press?.("begun");
  const resume = view.suspend();
  expect(press).toBeUndefined();
  resume();
  press?.(" and ended\r");
  expect(sent).toEqual(["use spaces", "begun and ended"]);
  view.close();
  expect(press).toBeUndefined();
});
