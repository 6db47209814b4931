import { text, toolCall, toolCalls } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf } from "../../test/run-session.ts";
import { createReadBeforeWrite } from "../index.ts";

test("a file that is there is only written after it was read [loop-8-5]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "old", "b.txt": "old" });
  const write = (path: string) => toolCall("write_file", { file_path: path, content: "new" });
  const { session } = createSession(workspace, {
    steps: [
      write("a.txt"),
      toolCall("read_file", { file_path: "./a.txt" }),
      write("a.txt"),
      write("new.txt"),
      write(`${workspace.root}/new.txt`),
      toolCall("edit_file", { file_path: "b.txt", old_string: "old", new_string: "new" }),
      text("done"),
    ],
    hooks: createReadBeforeWrite(workspace.environment),
  });
  const ends = dataOf(await collect(session.submit("go")), "tool_call_end");
  expect(ends.map((end) => end.is_error)).toEqual([true, false, false, false, false, true]);
  expect(ends[0]?.content).toMatch(/a\.txt is there and was not read before; read it first/);
  expect([await workspace.read("a.txt"), await workspace.read("b.txt")]).toEqual(["new", "old"]);
});

test("a read that fails lets nobody write, and commands and searches are let through [loop-8-5]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "old" });
  const { session } = createSession(workspace, {
    steps: [
      toolCalls([
        { name: "grep", arguments: { pattern: "old" } },
        { name: "shell", arguments: { command: "echo hi" } },
        { name: "read_file", arguments: { file_path: "a.txt", offset: "x" } },
      ]),
      toolCall("write_file", { file_path: "a.txt", content: "new" }),
      toolCall("write_file", { file_path: "../outside.txt", content: "new" }),
      text("done"),
    ],
    hooks: createReadBeforeWrite(workspace.environment),
  });
  const ends = dataOf(await collect(session.submit("go")), "tool_call_end");
  const failed = new Map(ends.map((end) => [end.tool_call_id, end.is_error]));
  expect([...failed.values()].filter((isError) => isError)).toHaveLength(3);
  expect(await workspace.read("a.txt")).toBe("old");
});
