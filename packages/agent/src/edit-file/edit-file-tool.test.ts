import { expect, test } from "vitest";
import { openWorkspace, type Workspace } from "../../test/open-workspace.ts";
import { callTool, createAnthropicProfile, type ToolCallResult } from "../index.ts";

const profile = createAnthropicProfile({ model: "claude" });

function edit(workspace: Workspace, args: Record<string, unknown>): Promise<ToolCallResult> {
  return callTool({ profile, environment: workspace.environment, name: "edit_file", arguments: args });
}

test("the number of replacements is reported [loop-3.3-10] [loop-3.3-13] [loop-9.2-2]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "x y x" });
  const one = await edit(workspace, { file_path: "a.txt", old_string: "y", new_string: "z" });
  expect(one).toMatchObject({ isError: false, content: "Replaced 1 occurrence in a.txt." });
  const all = await edit(workspace, { file_path: "a.txt", old_string: "x", new_string: "w", replace_all: true });
  expect(all).toMatchObject({ isError: false, content: "Replaced 2 occurrences in a.txt." });
  expect(await workspace.read("a.txt")).toBe("w z w");
});

test("an edit conflict names the remedy [loop-3.3-11] [loop-3.3-12] [loop-B-4]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "x x" });
  const missing = await edit(workspace, { file_path: "a.txt", old_string: "q", new_string: "z" });
  expect(missing.isError).toBe(true);
  expect(missing.content).toContain("Read the file again");
  const twice = await edit(workspace, { file_path: "a.txt", old_string: "x", new_string: "z" });
  expect(twice.isError).toBe(true);
  expect(twice.content).toContain("occurs 2 times");
  expect(twice.content).toContain("Add surrounding lines");
  expect(await workspace.read("a.txt")).toBe("x x");
});

test("a missing file is an error [loop-3.3-14]", async () => {
  await using workspace = await openWorkspace();
  const result = await edit(workspace, { file_path: "no.txt", old_string: "a", new_string: "b" });
  expect(result).toMatchObject({ isError: true, details: { error: { code: "environment.file_not_found" } } });
});

test("a tolerant match is reported to model and host [loop-3.3-15]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "one  \ntwo\n" });
  const result = await edit(workspace, { file_path: "a.txt", old_string: "one\ntwo", new_string: "1\n2" });
  expect(result).toMatchObject({ isError: false, details: { fuzzy: true } });
  expect(result.content).toContain("There was no exact match");
});

test("a byte order mark, CRLF and a missing final newline survive", async () => {
  await using workspace = await openWorkspace({ "a.txt": "\uFEFFone\r\ntwo\r\nthree" });
  await edit(workspace, { file_path: "a.txt", old_string: "one\ntwo", new_string: "1\n2\n2b" });
  expect(await workspace.read("a.txt")).toBe("\uFEFF1\r\n2\r\n2b\r\nthree");
});

test("a line that is removed with the preceding line end leaves nothing behind", async () => {
  await using workspace = await openWorkspace({ "a.txt": "one\r\ntwo\r\nthree\r\n" });
  await edit(workspace, { file_path: "a.txt", old_string: "\ntwo", new_string: "" });
  expect(await workspace.read("a.txt")).toBe("one\r\nthree\r\n");
});

test("a text with two overlapping matches is not unique [loop-3.3-12]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "}\n}\n}\n" });
  const result = await edit(workspace, { file_path: "a.txt", old_string: "}\n}", new_string: "]" });
  expect(result).toMatchObject({ isError: true, details: { error: { code: "edit.text_not_unique" } } });
  expect(await workspace.read("a.txt")).toBe("}\n}\n}\n");
});

test("a binary file is not changed", async () => {
  await using workspace = await openWorkspace({ "a.bin": Uint8Array.of(0x61, 0xff, 0x01, 0x62) });
  const result = await edit(workspace, { file_path: "a.bin", old_string: "a", new_string: "b" });
  expect(result).toMatchObject({ isError: true, details: { error: { code: "environment.binary_file" } } });
  expect(await workspace.hex("a.bin")).toBe("61ff0162");
});

test("an edit that changes nothing is an error", async () => {
  await using workspace = await openWorkspace({ "a.txt": "x" });
  expect(await edit(workspace, { file_path: "a.txt", old_string: "x", new_string: "x" })).toMatchObject({
    isError: true,
  });
});

test("concurrent edits of one file are all applied", async () => {
  await using workspace = await openWorkspace({
    "a.txt": Array.from({ length: 20 }, (_, index) => `<${index}>`).join("\n"),
  });
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      edit(workspace, {
        file_path: index % 2 === 0 ? "a.txt" : "./a.txt",
        old_string: `<${index}>`,
        new_string: `[${index}]`,
      }),
    ),
  );
  expect(await workspace.read("a.txt")).toBe(Array.from({ length: 20 }, (_, index) => `[${index}]`).join("\n"));
});
