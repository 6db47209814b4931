import fc from "fast-check";
import { expect, test } from "vitest";
import { filesOfDiff, linesOfFile } from "./parse-diff.ts";

const DIFF = `diff --git a/old.txt b/new name.txt
similarity index 50%
rename from old.txt
rename to new name.txt
--- a/old.txt
+++ b/new name.txt
@@ -1,2 +1,2 @@ head
 same
-gone
+--- come
\\ No newline at end of file
diff --git a/gone.bin b/gone.bin
deleted file mode 100644
Binary files a/gone.bin and /dev/null differ
`;

test("files have counts of added and removed lines", () => {
  expect(filesOfDiff(DIFF).map(({ path, added, removed }) => [path, added, removed])).toEqual([
    ["new name.txt", 1, 1],
    ["gone.bin", 0, 0],
  ]);
  expect(filesOfDiff("")).toEqual([]);
});

test("paths are unquoted", () => {
  const diff = [
    'diff --git "a/we\\"ird.txt" "b/we\\"ird.txt"\nnew file mode 100644\n--- /dev/null\n+++ "b/we\\"ird.txt"\n@@ -0,0 +1 @@\n+a\n',
    'diff --git "a/new\\nline.txt" "b/new\\nline.txt"\nnew file mode 100644\n',
    "diff --git a/plan b/x y.txt b/plan b/x y.txt\nold mode 100644\nnew mode 100755\n",
    "diff --git a/plan b/x y.txt b/plan b/x y.txt\n--- a/plan b/x y.txt\t\n+++ b/plan b/x y.txt\t\n@@ -1 +1 @@\n-a\n+b\n",
    'diff --git a/x.txt "b/t\\tab.txt"\nsimilarity index 100%\nrename from x.txt\nrename to "t\\tab.txt"\n',
  ].join("");
  const paths = ['we"ird.txt', "new\nline.txt", "plan b/x y.txt", "plan b/x y.txt", "t\tab.txt"];
  expect(filesOfDiff(diff).map(({ path }) => path)).toEqual(paths);
});

test("lines are numbered on both sides", () => {
  const [file] = filesOfDiff(DIFF);
  expect(linesOfFile(file?.text ?? "").slice(3)).toEqual([
    { kind: "hunk", text: "@@ -1,2 +1,2 @@ head" },
    { kind: "context", text: "same", before: 1, after: 1 },
    { kind: "removed", text: "gone", before: 2 },
    { kind: "added", text: "--- come", after: 2 },
    { kind: "note", text: "\\ No newline at end of file" },
  ]);
});

test("any text is parsed without losing content", () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom("diff --git a/x b/x", "@@ -1 +1 @@", "+a", "-b", "--- a/x", "+++ b/x"),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const diff = lines.join("\n");
      fc.pre(diff.trim() !== "");
      expect(
        filesOfDiff(diff)
          .map(({ text }) => text)
          .join("")
          .trim(),
      ).toBe(diff.trim());
      for (const { text } of filesOfDiff(diff)) linesOfFile(text);
    }),
  );
});
