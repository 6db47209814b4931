import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** Creates a repository in which an agent has changed a file, with its model. */
async function makeRun(uncommitted: Readonly<Record<string, string>> = {}) {
  const [cwd, home] = [await makeFolder({ "a.txt": "one\n" }), await makeFolder()];
  const git = (...argv: string[]) =>
    execa("git", ["-C", cwd, "-c", "user.name=T", "-c", "user.email=t@e.org", ...argv]);
  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=first");
  for (const [path, content] of Object.entries(uncommitted)) await writeFile(join(cwd, path), content);
  const { baseUrl, mock } = await startMockModel("anthropic", [
    { name: "read_file", arguments: { file_path: "a.txt" } },
    { name: "shell", arguments: { command: "echo two >> a.txt; cat a.txt" } },
    "Done.",
  ]);
  const enter = (words: readonly string[], env: Record<string, string> = {}) =>
    switchyard(words, { cwd, env: { HOME: home, ...env } });
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "Add two."];
  expect(await enter(words, KEY)).toMatchObject({ exitCode: 0 });
  const state = join(home, ".local/state/switchyard");
  const [runId = ""] = await readdir(join(state, "runs"));
  return { cwd, git, enter, runId, state, asked: () => mock.getRequests().length };
}

test("a run with the original files repeats the same, without a key or a model, and leaves nothing behind", async () => {
  const { cwd, enter, runId, state, asked, git } = await makeRun();
  const { exitCode, stdout, stderr } = await enter(["replay", runId.slice(0, 8)]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain("→ read_file a.txt");
  expect(stdout).toContain("No difference: 3 model calls match the recording.");
  expect(asked()).toBe(3);
  expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\n");
  expect(await readdir(join(state, "runs"))).toEqual([runId]);
  expect(await readdir(join(state, "worktrees"))).toEqual([]);
  expect((await git("branch", "--list", "switchyard/*")).stdout).toBe("");
});

test("uncommitted files are present as they were when the run began, with or without their changes", async () => {
  const { cwd, enter, runId, git } = await makeRun({ "a.txt": "uno\n", "new.bin": "\0\xfc" });
  for (const change of [() => enter(["undo", runId]), () => writeFile(join(cwd, "a.txt"), "one\n")]) {
    const { exitCode, stdout, stderr } = await enter(["replay", runId]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("No difference: 3 model calls match the recording.");
    await change();
  }
  expect((await git("worktree", "list")).stdout.split("\n")).toHaveLength(1);
  const different = await enter(["replay", runId]);
  expect(different.exitCode).toBe(1);
  expect(different.stdout).toContain("Difference: Model call 1");
});

test("the first difference is reported, and ends with 1", async () => {
  const { cwd, enter, runId, git } = await makeRun();
  await writeFile(join(cwd, "a.txt"), "uno\n");
  await git("commit", "--quiet", "--all", "--message=first");
  const people = await enter(["replay", runId]);
  expect(people.exitCode).toBe(1);
  expect(people.stdout).toMatch(/Difference: Model call [12] does not match the recording: .*(?:one|first).*/);
  const machine = await enter(["replay", runId, "--json"]);
  expect(machine.exitCode).toBe(1);
  expect(JSON.parse(machine.stdout)).toMatchObject({ run_id: runId, same: false, calls: 3, difference: { index: 1 } });
});

test("without a repository the error names the option to use, and the option works", async () => {
  const [cwd, home] = [await makeFolder({ "a.txt": "one\n" }), await makeFolder()];
  const { baseUrl } = await startMockModel("anthropic", ["Done."]);
  const enter = (words: readonly string[]) => switchyard(words, { cwd, env: { ...KEY, HOME: home } });
  expect(await enter(["run", "--model", "anthropic/m", "--base-url", baseUrl, "Go."])).toMatchObject({ exitCode: 0 });
  const [runId = ""] = await readdir(join(home, ".local/state/switchyard/runs"));
  const refused = await enter(["replay", runId]);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toMatch(
    /no worktree of its workspace can be created \(not a git repository.*\)\. Give a copy of it with --work/,
  );
  expect(refused.stderr).not.toContain("--worktree");
  const copy = await makeFolder({ "a.txt": "one\n" });
  expect(await enter(["replay", runId, "--workspace", copy])).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a run without a recording cannot be replayed", async () => {
  const { enter, runId, state } = await makeRun();
  await writeFile(join(state, "runs", runId, "recording.jsonl"), "");
  const { exitCode, stderr } = await enter(["replay", runId]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^error: .*\nhint: .*/);
});
