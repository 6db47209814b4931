import { text, toolCall, toolCalls } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { call, textParts } from "../../test/family-client.ts";
import { familySession } from "../../test/family-session.ts";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf } from "../../test/run-session.ts";
import { createOpenAiProfile, createReadBeforeWrite } from "../index.ts";

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

test("a failed read does not allow a write, and commands and searches are allowed [loop-8-5]", async () => {
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

test("a file is known under the names of a vendor, and from the folder of a subagent [loop-8-5]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "old\n", "sub/b.txt": "old\n" });
  const remove = (file: string) =>
    call(["apply_patch", { input: `*** Begin Patch\n*** Delete File: ${file}\n*** End Patch` }]);
  const { session } = familySession({
    environment: workspace.environment,
    profile: createOpenAiProfile({ model: "m", toolNames: "native" }),
    hooks: createReadBeforeWrite(workspace.environment),
    scripts: {
      go: [
        remove("a.txt"),
        call(["spawn_agent", { task: "tidy", working_dir: "sub" }]),
        call(["wait", { agent_id: "agent-1" }]),
        textParts("done"),
      ],
      tidy: [remove("b.txt"), textParts("done")],
    },
  });
  const ends = dataOf(await collect(session.submit("go")), "tool_call_end");
  const removals = ends.filter(({ name }) => name === "apply_patch");
  expect(removals.map(({ content }) => content)).toEqual(
    ["a.txt", "sub/b.txt"].map((path) => expect.stringContaining(`${path} is there and was not read before`)),
  );
  expect([await workspace.read("a.txt"), await workspace.read("sub/b.txt")]).toEqual(["old\n", "old\n"]);
  await session.close();
});
