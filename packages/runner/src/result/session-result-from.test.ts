import { MAIN_CHANNEL, type Message, SESSION_INPUT, SESSION_RESULT, textMessage } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { expect, test } from "vitest";
import { sessionResultFrom } from "./session-result-from.ts";

const INPUT = { messages: [{ role: "user", content: "Do it." }] } as const;

function boardWith(channel: readonly Message[], result?: unknown) {
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [...INPUT.messages] });
  board.setChannel(MAIN_CHANNEL, channel);
  if (result !== undefined) board.setVar(SESSION_RESULT.name, result);
  return board;
}

const calling: Message = {
  role: "assistant",
  parts: [
    { type: "text", text: "Looking." },
    { type: "tool_call", id: "1", name: "shell", arguments: "{}" },
  ],
};
const answered: Message = {
  role: "tool",
  parts: [{ type: "tool_result", toolCallId: "1", name: "shell", content: "ok", isError: false }],
};

test("without a result one is made of the last assistant message of the main channel", async () => {
  const channel = [textMessage("user", "Do it."), calling, answered, textMessage("assistant", "Done.")];
  const result = await sessionResultFrom(boardWith(channel), {
    engine: "e",
    model: "p/m",
    durationMs: 5,
    usage: { inputTokens: 7, outputTokens: 0, totalTokens: 7 },
  });
  expect(result).toEqual({
    exit_code: 0,
    final_message: "Done.",
    engine: "e",
    model: "p/m",
    duration_ms: 5,
    turns: 2,
    input_tokens: 7,
    output_tokens: undefined,
    transcript: [
      { role: "user", content: "Do it." },
      { role: "assistant", content: "Looking.", turn: 1, tool_calls: [{ id: "1", name: "shell", arguments: "{}" }] },
      { role: "tool", content: "ok", turn: 1, tool_result: { call_id: "1", status: "ok", content: "ok" } },
      { role: "assistant", content: "Done.", turn: 2 },
    ],
  });
});

test("a channel that does not begin with the input is appended to it; text is preferred to messages with tool calls only", async () => {
  const bare: Message = { role: "assistant", parts: [{ type: "tool_call", id: "2", name: "x", arguments: "{}" }] };
  const result = await sessionResultFrom(boardWith([calling, answered, bare]));
  expect(result.final_message).toBe("Looking.");
  expect(result.transcript?.[0]).toEqual(INPUT.messages[0]);
  expect(result.turns).toBe(2);
});

test("a result is kept unchanged, and only missing fields are filled in [custom-session-result-5] [custom-session-result-6] [custom-session-result-7] [custom-transcript-2] [custom-transcript-3]", async () => {
  const minimal = await sessionResultFrom(boardWith([], { exit_code: 0, final_message: "" }), {
    engine: "e",
    durationMs: 3,
  });
  expect(minimal).toMatchObject({ exit_code: 0, final_message: "", engine: "e", duration_ms: 3, turns: 1 });
  expect(minimal.transcript).toEqual([...INPUT.messages, { role: "assistant", content: "" }]);
  const own = {
    exit_code: 2,
    final_message: "own",
    engine: "own",
    model: "own/m",
    duration_ms: 1,
    turns: 9,
    input_tokens: 0,
    output_tokens: 4,
    transcript: [{ role: "assistant", content: "b", turn: 4 }],
  };
  const defaults = {
    engine: "e",
    model: "p/m",
    durationMs: 5,
    usage: { inputTokens: 7, outputTokens: 7, totalTokens: 14 },
  };
  expect(await sessionResultFrom(boardWith([calling], own), defaults)).toEqual(own);
});

test("a missing final message is taken from the transcript [custom-session-result-4]", async () => {
  const transcript = [
    { role: "assistant", content: "a" },
    { role: "tool", content: "t" },
  ];
  expect((await sessionResultFrom(boardWith([], { exit_code: 0, transcript }))).final_message).toBe("a");
});

test("an invalid result is an error that names its fields, and a missing result is a different error [custom-session-result-1] [custom-session-result-2] [custom-session-result-9]", async () => {
  const cases: [unknown, RegExp][] = [
    [{ final_message: "x" }, /exit_code/],
    [{ exit_code: 0.5, final_message: "x" }, /exit_code/],
    [{ exit_code: "0", final_message: "x" }, /exit_code/],
    [{ exit_code: 0 }, /final_message/],
    [{ exit_code: 0, final_message: "x", turns: "many" }, /turns/],
    [{ exit_code: 0, final_message: "x", artifacts: { files: [{ path: "a" }] } }, /artifacts\.files\[0\]\.name/],
    ["text", /\(the whole\)/],
  ];
  for (const [value, field] of cases) {
    const parsing = sessionResultFrom(boardWith([], value));
    await expect(parsing).rejects.toMatchObject({ code: "result.invalid", message: expect.stringMatching(field) });
  }
  await expect(sessionResultFrom(boardWith([textMessage("user", "x")]))).rejects.toMatchObject({
    code: "run.no_result",
  });
});
