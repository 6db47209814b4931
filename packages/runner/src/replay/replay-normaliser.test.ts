import { expect, test } from "vitest";
import { createReplayNormaliser } from "./replay-normaliser.ts";

test("the git folder of a worktree, which Codex names in its permissions, is removed", () => {
  const entryOf = (path: string): string => `<entry access="read"><path>${path}</path></entry>`;
  const normalise = createReplayNormaliser(["/src", "/state/worktrees/replay-1"], ["run-1", "run-2"]);
  const recorded = normalise(`cwd /src, run run-1, branch\nCurrent branch: main\n${entryOf("/src/.aws")}`);
  const replayed = `cwd /state/worktrees/replay-1, run run-2, branch\nCurrent branch: switchyard/replay-1\n`;
  const entries = entryOf("/state/worktrees/replay-1/.aws") + entryOf("/src/.git/worktrees/replay-1");
  expect(normalise(replayed + entries)).toBe(recorded);
  expect(recorded).toContain("<workspace>/.aws");
});

test("the list of files that Gemini CLI sends is the same in a worktree, where `.git` is a file", () => {
  const normalise = createReplayNormaliser(["/src"]);
  const more = " Folders or files indicated with ... contain more items not shown, were ignored.";
  const recorded = `Showing up to 200 items.${more}\n\n/src/\n├───a.txt\n├───.git/...\n└───lib/\n`;
  const replayed = "Showing up to 200 items.\n\n/src/\n├───.git\n├───a.txt\n└───lib/\n";
  expect(normalise(replayed)).toBe(normalise(recorded));
});
