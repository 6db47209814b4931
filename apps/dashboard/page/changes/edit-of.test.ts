import { expect, test } from "vitest";
import { editsOf } from "./edit-of.ts";
import { fileTree, type TreeNode } from "./file-tree.ts";

/** Edits as text: path, then lines with their marks. */
function shown(name: string, args: unknown): readonly string[] {
  const marks = { added: "+", removed: "-", context: " ", hunk: "@", note: "#" };
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return editsOf(name, text).map(({ path, lines }) =>
    [path, ...lines.map(({ kind, text: line }) => marks[kind] + line)].join("\n"),
  );
}

test("a replacement is shown as the diff of its two texts, for any argument names", () => {
  const expected = ["a.js\n one\n-two\n+2\n three"];
  const [before, after] = ["one\ntwo\nthree", "one\n2\nthree"];
  expect(shown("edit_file", { file_path: "a.js", old_string: before, new_string: after })).toEqual(expected);
  expect(shown("edit", { filePath: "a.js", oldString: before, newString: after })).toEqual(expected);
  expect(shown("str_replace", { path: "a.js", old_str: before, new_str: after })).toEqual(expected);
  const edits = [
    { old_string: "x", new_string: "y" },
    { old_string: "1", new_string: "2" },
  ];
  expect(shown("MultiEdit", { file_path: "b.js", edits })).toEqual(["b.js\n-x\n+y", "b.js\n-1\n+2"]);
});

test("changes that are far apart are separate hunks", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const [before, after] = [lines.join("\n"), lines.with(2, "first").with(27, "last").join("\n")];
  const [edit = ""] = shown("edit_file", { path: "a", old_string: before, new_string: after });
  expect(edit.split("\n").filter((line) => /^[-+@]/.test(line))).toEqual([
    "-line 2",
    "+first",
    "@…",
    "-line 27",
    "+last",
  ]);
});

test("a written file is shown as added, and a patch file by file", () => {
  expect(shown("write_file", { file_path: "new.txt", content: "a\nb" })).toEqual(["new.txt\n+a\n+b"]);
  const patch = "*** Begin Patch\n*** Update File: a.js\n@@\n one\n-two\n+2\n*** Add File: b.js\n+new\n*** End Patch\n";
  expect(shown("apply_patch", { input: patch })).toEqual(["a.js\n@@@\n one\n-two\n+2", "b.js\n+new"]);
  expect(shown("apply_patch", patch)).toHaveLength(2);
  const unified = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n";
  expect(shown("patch", { diff: unified })).toEqual(["x\n@@@ -1 +1 @@\n-old\n+new"]);
});

test("other calls have no edit", () => {
  for (const args of [{ command: "ls" }, { file_path: "a", content: "b" }, [], null, "not json"])
    expect(shown("read_file", args)).toEqual([]);
});

test("changed files form a tree with folders first, and single-child folders are joined", () => {
  const files = ["src/http/a.ts", "src/http/b.ts", "README.md", "docs/x/y/z.md"].map((path) => ({
    ...{ path, added: 1, removed: 0, text: "" },
  }));
  const outline = (nodes: readonly TreeNode[]): unknown =>
    nodes.map(({ name, children, file }) => (file === undefined ? { [name]: outline(children) } : name));
  expect(outline(fileTree(files))).toEqual([{ "docs/x/y": ["z.md"] }, { "src/http": ["a.ts", "b.ts"] }, "README.md"]);
});
