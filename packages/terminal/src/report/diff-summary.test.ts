import { expect, test } from "vitest";
import { readDiff, summariseDiff } from "./diff-summary.ts";

const DIFF = `diff --git a/src/money.js b/src/money.js
index 1..2 100644
--- a/src/money.js
+++ b/src/money.js
@@ -1,4 +1,4 @@
 one
--- a removed line that looks like a header
+++ an added one
 three
 four
diff --git a/new file.txt b/new file.txt
new file mode 100644
index 0000000..3
--- /dev/null
+++ b/new file.txt
@@ -0,0 +1,2 @@
+a
+b
\\ No newline at end of file
`;

test("changed lines are counted inside of hunks only", () => {
  expect(readDiff(DIFF)).toEqual([
    { path: "src/money.js", added: 1, removed: 1 },
    { path: "new file.txt", added: 2, removed: 0 },
  ]);
});

test("paths are the names of the files, also if git quotes them", () => {
  const diff = [
    'diff --git "a/we\\"ird.txt" "b/we\\"ird.txt"\nnew file mode 100644',
    'diff --git "a/new\\nline\\\\.txt" "b/new\\nline\\\\.txt"\nnew file mode 100644',
    "diff --git a/plan b/notes b/x.txt b/plan b/notes b/x.txt\nold mode 100644\nnew mode 100755",
    "diff --git a/plan b/x.txt b/plan c b/y.txt\nsimilarity index 100%\nrename from plan b/x.txt\nrename to plan c b/y.txt",
    'diff --git a/x.txt "b/t\\tab.txt"\nsimilarity index 100%\nrename from x.txt\nrename to "t\\tab.txt"',
  ].join("\n");
  expect(readDiff(diff).map(({ path }) => path)).toEqual([
    'we"ird.txt',
    "new\nline\\.txt",
    "plan b/notes b/x.txt",
    "plan c b/y.txt",
    "t\tab.txt",
  ]);
  expect(summariseDiff(diff)[1]).toMatch(/^"new\\nline\\\\\.txt" +\+0 -0$/);
});

test("the summary names each file and sums up several", () => {
  expect(summariseDiff(DIFF)).toEqual([
    "src/money.js  +1 -1",
    "new file.txt  +2 -0",
    "2 files changed, 3 lines added, 1 line removed",
  ]);
  expect(summariseDiff("")).toEqual([]);
});

test("if there are many files, the first ones are named and all are counted", () => {
  const diff = Array.from(
    { length: 200_000 },
    (_, index) => `diff --git a/f${index} b/f${index}\nnew file mode 100644\n`,
  );
  const summary = summariseDiff(diff.join(""));
  expect(summary).toHaveLength(52);
  expect(summary.slice(-2)).toEqual(["… 199,950 more files", "200,000 files changed, 0 lines added, 0 lines removed"]);
});
