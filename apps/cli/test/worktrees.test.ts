import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sandboxReadiness } from "@switchyard/environment/local";
import { execa } from "execa";
import { expect, test } from "vitest";
import { answerCall, startLoopbackModel } from "./loopback-model.ts";
import { startMockModel } from "./mock-model.ts";
import { KEY, makeRepository, runIn, WRITES } from "./run-in-repository.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const readiness = await sandboxReadiness({ ...process.env });

test("a run in a sandbox has its own worktree, and can commit there", async ({ skip }) => {
  if (!readiness.ok) skip("a sandbox cannot be created");
  const { cwd, git } = await makeRepository();
  const command =
    "echo 2 >b.txt && git add . && git -c user.name=A -c user.email=a@b.example commit -qm theirs && cat a.txt";
  const read = { name: "read_file", arguments: { file_path: "a.txt" } };
  const write = { name: "write_file", arguments: { file_path: "c.txt", content: "3\n" } };
  const answers = [read, write, { name: "shell", arguments: { command } }, "Done."];
  const { exitCode, stdout, stderr, state, runId } = await runIn(cwd, answers, "--worktree", "--env", "sandbox");
  expect([exitCode, stdout + stderr]).toEqual([0, expect.not.stringContaining("denied")]);
  const folder = join(state, "worktrees", runId);
  expect((await readdir(folder)).sort()).toEqual([".git", ".gitignore", "a.txt", "b.txt", "c.txt"]);
  expect(await git("log", "--format=%s", `switchyard/${runId}`)).toBe("theirs\nfirst");
  expect(await git("status", "--porcelain")).toBe("");
});

test("a folder that is not in the last commit has no worktree, and the error says why", async () => {
  const { cwd } = await makeRepository();
  await mkdir(join(cwd, "new/deep"), { recursive: true });
  for (const workspace of ["new", "new/deep"]) {
    const { exitCode, stderr, state } = await runIn(cwd, [WRITES, "Done."], "--worktree", "--workspace", workspace);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("the folder is not in the last commit");
    expect(await readdir(join(state, "worktrees")).catch(() => [])).toEqual([]);
  }
});

test("a repository without a commit has no worktree, and has its own error text", async () => {
  const { cwd, git } = await makeRepository();
  await git("checkout", "--quiet", "--orphan", "other");
  const empty = await makeFolder({ "a.txt": "one\n" });
  await execa("git", ["init", "--quiet", empty]);
  for (const folder of [cwd, empty]) {
    const { exitCode, stderr } = await runIn(folder, [WRITES, "Done."], "--worktree");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("its current branch has no commit yet");
    expect(stderr).not.toContain("Needed a single revision");
  }
});

test("submodules are empty in a worktree, which is reported, or checked out from the workspace", async () => {
  const { cwd, git } = await makeRepository();
  const { cwd: library, git: inLibrary } = await makeRepository();
  await git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib/inner");
  await git("commit", "--quiet", "--message=module");
  // Hooks and commands in the repositories' settings are not run.
  const marker = join(await makeFolder(), "ran");
  await git("config", "submodule.lib/inner.update", `!touch ${marker}`);
  await writeFile(join(cwd, ".git/modules/lib/inner/hooks/post-checkout"), `#!/bin/sh\ntouch ${marker}\n`, {
    mode: 0o755,
  });
  const empty = await runIn(cwd, [WRITES, "Done."], "--worktree");
  expect(empty.exitCode).toBe(0);
  expect(empty.stderr).toContain(
    "note: submodules are empty in the worktree (lib/inner); --worktree-submodules checks them out.",
  );
  expect(await readdir(join(empty.state, "worktrees", empty.runId, "lib/inner"))).toEqual([]);
  const full = await runIn(cwd, [WRITES, "Done."], "--worktree", "--worktree-submodules");
  expect(full.exitCode).toBe(0);
  expect(full.stderr).not.toContain("submodules are empty");
  const inner = join(full.state, "worktrees", full.runId, "lib/inner");
  expect(await readFile(join(inner, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  expect((await execa("git", ["-C", inner, "rev-parse", "HEAD"])).stdout).toBe(await inLibrary("rev-parse", "HEAD"));
  expect(await readFile(marker, "utf8").catch(() => "nothing ran")).toBe("nothing ran");
});

test("files behind a filter that the repository configures are as git stores them, which is reported", async () => {
  const { cwd, git } = await makeRepository();
  await git("config", "filter.upper.smudge", "tr a-z A-Z");
  await git("config", "filter.upper.clean", "tr A-Z a-z");
  await writeFile(join(cwd, ".gitattributes"), "*.up filter=upper\n*.bin filter=lfs -text\n");
  await writeFile(join(cwd, "x.up"), "LOUD\n");
  await writeFile(join(cwd, "y.bin"), "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
  // Settings of the machine for Git LFS are not used, because its program may be missing.
  const withoutLfs = ["-c", "filter.lfs.process=", "-c", "filter.lfs.clean=", "-c", "filter.lfs.required=false"];
  await git(...withoutLfs, "add", ".");
  await git(...withoutLfs, "commit", "--quiet", "--message=filters");
  const { baseUrl } = await startMockModel("anthropic", ["Done."]);
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", await makeFolder(), "--worktree"];
  const env = { ...KEY, GIT_CONFIG_NOSYSTEM: "1" };
  const { exitCode, stderr } = await switchyard([...words, "go"], { cwd, env });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/note: files behind a filter have their stored content in the worktree.*\(x\.up, y\.bin\)\./);
});

test("a sparse checkout is reported", async () => {
  const { cwd, git } = await makeRepository();
  await mkdir(join(cwd, "kept"));
  await mkdir(join(cwd, "left"));
  for (const path of ["kept/x.txt", "left/y.txt"]) await writeFile(join(cwd, path), "x\n");
  await git("add", ".");
  await git("commit", "--quiet", "--message=folders");
  await git("sparse-checkout", "set", "kept");
  const { exitCode, stderr, state, runId } = await runIn(cwd, [WRITES, "Done."], "--worktree");
  expect(exitCode).toBe(0);
  const names = await readdir(join(state, "worktrees", runId));
  expect(names.includes("left")).toBe(!stderr.includes("the checkout is sparse: 1 files"));
});

test("runs in a folder and in one below it exclude each other", async () => {
  const { cwd } = await makeRepository();
  await mkdir(join(cwd, "sub"));
  for (const [held, wanted] of [
    [cwd, join(cwd, "sub")],
    [join(cwd, "sub"), cwd],
  ] as const) {
    const state = await makeFolder();
    const waits = answerCall("shell", { command: "touch begun; sleep 600" });
    const { baseUrl } = await startLoopbackModel(waits);
    const words = ["run", "--model", "anthropic/m", "--state", state];
    const waiting = [...words, "--base-url", baseUrl, "--events", "jsonl", "go"];
    const { command } = await startSwitchyard(waiting, { cwd: held, env: KEY });
    await expect.poll(() => readdir(held)).toContain("begun");
    const { baseUrl: other } = await startMockModel("anthropic", ["Done."]);
    const second = () => switchyard([...words, "--base-url", other, "go"], { cwd: wanted, env: KEY });
    expect(await second()).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`is using the workspace ${held}`),
    });
    command.kill("SIGKILL");
    await command;
    expect(await second()).toMatchObject({ exitCode: 0 });
    await execa("rm", [join(held, "begun")]);
  }
});
