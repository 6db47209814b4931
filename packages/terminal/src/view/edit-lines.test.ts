import { expect, test } from "vitest";
import { editLinesOf } from "./edit-lines.ts";

test.each([
  [
    "edit_file",
    { file_path: "a.ts", old_string: "a\nb\nc\nd", new_string: "a\nb\nX\nY\nd" },
    [" b", "-c", "+X", "+Y", " d"],
  ],
  ["Edit", { file_path: "a.ts", old_string: "a", new_string: "b" }, ["-a", "+b"]],
  ["edit_file", { old_string: "a\n", new_string: "a\na\n" }, [" a", "+a"]],
  ["write_file", '{"file_path":"a","content":"x\\ny\\n"}', ["+x", "+y"]],
  [
    "apply_patch",
    { patch: "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch\n" },
    ["*** Update File: a", "@@", "-x", "+y"],
  ],
  [
    "fileChange",
    {
      changes: [
        { path: "a", kind: { type: "update" }, diff: "@@ -1 +1 @@\n-x\n+y\n" },
        { type: "diff", path: "b", oldText: "one\n", newText: "two\n" },
        { type: "diff", path: "c", newText: "new\n" },
      ],
    },
    ["*** a", "@@ -1 +1 @@", "-x", "+y", "*** b", "-one", "+two", "*** c", "+new"],
  ],
])("%s %j", (name, args, lines) => {
  expect(editLinesOf(name, args)?.lines).toEqual(lines);
});

test.each([
  ["shell", { command: "ls" }],
  ["write_file", "no JSON"],
  ["write_file", { file_path: "a" }],
  ["edit_file", { old_string: 1, new_string: "b" }],
  ["fileChange", { changes: [] }],
  ["fileChange", { changes: [{ path: "a" }] }],
  ["fileChange", { changes: [{ diff: "+x" }] }],
])("%s %j is no edit that can be shown", (name, args) => {
  expect(editLinesOf(name, args)).toBeUndefined();
});
