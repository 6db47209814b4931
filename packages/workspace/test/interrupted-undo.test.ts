import { expect, test } from "vitest";
import { makeWorkspace, runAgent, stateOf } from "./run-and-undo.ts";

const REFERENCES = "git for-each-ref; git symbolic-ref HEAD; git ls-files -s";

test("an undo interrupted before it is recorded is completed by the next one, including folder permissions", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh("git init -q; mkdir -m 750 d gone; echo a > d/a; echo a > a; git add -A; git commit -qm one");
  const before = await stateOf(workspace.root);
  const run = await runAgent(workspace, "echo b > a; chmod 700 d; rmdir gone; mkdir made");
  await expect(run.undo({ interrupted: "before it is recorded" })).rejects.toThrow("before it is recorded");
  // Simulates a process that ended after restoring the files and before restoring the folders.
  await workspace.sh("chmod 700 d; rmdir gone; mkdir made");
  await run.undo();
  expect(await stateOf(workspace.root)).toEqual(before);
});

test("an interrupted undo is not completed if a file was edited since, and reports it", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh("git init -q; echo a > a; git add -A; git commit -qm one");
  const run = await runAgent(workspace, "echo b > a");
  await expect(run.undo({ interrupted: "before it is recorded" })).rejects.toThrow("before it is recorded");
  await workspace.sh("echo user > a");
  const before = await stateOf(workspace.root);
  await expect(run.undo()).rejects.toThrow("a:1");
  expect(await stateOf(workspace.root)).toEqual(before);
});

test("branches already restored by an interrupted undo do not prevent the next one from restoring files", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh("git init -q; echo a > a; git add -A; git commit -qm one; git branch side");
  const [before, references] = [await stateOf(workspace.root), await workspace.sh(REFERENCES)];
  const run = await runAgent(
    workspace,
    "echo b > a; git commit -qam two; git checkout -qb feature; git branch -D side >/dev/null",
  );
  await expect(run.undo({ commits: true, interrupted: "before the files" })).rejects.toThrow("before the files");
  expect(await workspace.sh(REFERENCES)).toBe(references);
  expect(await stateOf(workspace.root)).not.toEqual(before);
  await run.undo({ commits: true });
  expect(await stateOf(workspace.root)).toEqual(before);
  expect(await workspace.sh(REFERENCES)).toBe(references);
});
