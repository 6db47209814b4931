import { MAIN_CHANNEL, SESSION_RESULT } from "@switchyard/contracts";
import { answer, type recordingHost, text, toolCall, toolCalls } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { startRun } from "../../test/start-run.ts";

const countOf = (host: ReturnType<typeof recordingHost>, type: string): number =>
  host.types().filter((other) => other === type).length;

test("a session reads, writes, edits and runs, and all of it is in its result [D9] [D14]", async () => {
  await using workspace = await openWorkspace({ "notes.txt": "one\ntwo\n" });
  const looks = [
    { name: "read_file", arguments: { file_path: "notes.txt" } },
    { name: "glob", arguments: { pattern: "*.txt" } },
  ];
  const checks = [
    { name: "grep", arguments: { pattern: "t", path: "." } },
    { name: "read_file", arguments: { file_path: "more.txt" } },
  ];
  const { host, board, execution } = startRun(workspace, {
    steps: [
      answer(text("I look first."), toolCalls(looks)),
      toolCall("write_file", { file_path: "more.txt", content: "three\n" }),
      toolCalls(checks),
      toolCall("edit_file", { file_path: "notes.txt", old_string: "two", new_string: "2" }),
      toolCall("shell", { command: "echo once >> ledger.txt; cat notes.txt" }),
      text("All is as it should be."),
    ],
  });
  await execution;
  const result = board.get(SESSION_RESULT);
  expect(result).toMatchObject({ exit_code: 0, final_message: "All is as it should be.", turns: 6 });
  expect(result?.transcript?.map(({ role, tool_result: output }) => output?.status ?? role)).toEqual([
    "user",
    ...["assistant", "ok", "ok"],
    ...["assistant", "ok"],
    ...["assistant", "ok", "ok"],
    ...["assistant", "ok"],
    ...["assistant", "ok"],
    "assistant",
  ]);
  expect(await workspace.read("notes.txt")).toBe("one\n2\n");
  expect(await workspace.read("ledger.txt")).toBe("once\n");
  expect(host.usages.map(({ responseId }) => responseId)).toEqual(
    [1, 2, 3, 4, 5, 6].map((number) => `response_${number}`),
  );
  expect(result?.input_tokens).toBe(host.totalUsage.inputTokens);
  expect(countOf(host, "tool_call_end")).toBe(7);
  expect([countOf(host, "step_start"), countOf(host, "step_complete")]).toEqual([6, 6]);
  expect(host.types().slice(-3)).toEqual(["processing_end", "session_end", "run_end"]);
});

test("a session fails, is rejected, and repeats itself until the limit of its input ends it [D9]", async () => {
  await using workspace = await openWorkspace();
  const failures = [
    { name: "read_file", arguments: { file_path: "missing.txt" } },
    { name: "no_such_tool", arguments: {} },
  ];
  const { host, board, execution } = startRun(workspace, {
    input: { max_turns: 6 },
    steps: [
      toolCalls(failures),
      toolCall("read_file", { wrong: 1 }),
      ...Array.from({ length: 4 }, () => toolCall("glob", { pattern: "*.none" })),
      text("never"),
    ],
  });
  await execution;
  expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 1, turns: 6 });
  const roles = board.channel(MAIN_CHANNEL).map(({ role }) => role);
  expect(roles).toEqual(["user", ...Array.from({ length: 6 }, () => ["assistant", "tool"]).flat()]);
  expect([countOf(host, "turn_limit"), countOf(host, "tool_call_end")]).toEqual([1, 7]);
});

test("the initial settings of a session stay unchanged [D9]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "alpha\n" });
  const { host, board, execution } = startRun(workspace, {
    input: {
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: "first" },
        { role: "user", content: "second" },
      ],
    },
    steps: [toolCall("read_file", { file_path: "a.txt" }), toolCall("list_dir", { path: "." }), text("alpha")],
  });
  await execution;
  const roles = board.channel(MAIN_CHANNEL).map(({ role }) => role);
  expect(roles.slice(0, 4)).toEqual(["system", "user", "user", "assistant"]);
  expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 0, final_message: "alpha", turns: 3 });
  expect(countOf(host, "user_input")).toBe(1);
});
