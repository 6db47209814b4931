import { appendFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { answerCall, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { startMockModel } from "./mock-model.ts";
import { KEY, makeRepository, runIn, WRITES } from "./run-in-repository.ts";
import { isProcessRunning, makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

/** Names of git filters: one contains the separator `=`, one is empty. */
const FILTERS = ["ev=il", ""];

describe("--worktree", () => {
  test("a run works on its own branch, and the workspace does not change", async () => {
    const { cwd, git } = await makeRepository();
    await writeFile(join(cwd, "uncommitted.txt"), "x");
    const { exitCode, stderr, stdout, state, runId } = await runIn(cwd, [WRITES, "Done."], "--worktree");
    expect(exitCode).toBe(0);
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    const folder = join(state, "worktrees", runId);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\n2\nthree\n");
    expect(stdout).toContain("b.txt");
    expect(stderr).toContain("the worktree does not contain uncommitted changes of the workspace");
    expect(stderr).toContain(`Worktree: ${folder} (branch switchyard/${runId})`);
    expect(await git("branch", "--list", "switchyard/*")).toContain(runId);
    const [, command = ""] = /^Remove it with: (.*)$/m.exec(stderr) ?? [];
    await execa("sh", ["-c", command], { cwd });
    expect(await git("branch", "--list", "switchyard/*")).toBe("");
  });

  test("the agent's commits are on its branch although a hook's variables name another repository", async () => {
    const { cwd, git } = await makeRepository();
    const before = await git("log", "--format=%H", "main");
    const command = "echo 2 > b.txt && git add b.txt && git -c user.name=A -c user.email=a@b.example commit -qm theirs";
    const { baseUrl } = await startMockModel("anthropic", [{ name: "shell", arguments: { command } }, "Done."]);
    const env = { ...KEY, GIT_DIR: join(cwd, ".git"), GIT_INDEX_FILE: join(cwd, ".git/index"), GIT_PREFIX: "" };
    const words = ["run", "--worktree", "--model", "anthropic/m", "--base-url", baseUrl, "--state", await makeFolder()];
    expect(await switchyard([...words, "go"], { cwd, env })).toMatchObject({ exitCode: 0 });
    expect(await git("log", "--format=%H", "main")).toBe(before);
    expect(await git("log", "--format=%s", "--branches=switchyard/*", "--max-count=1")).toBe("theirs");
    expect(await git("status", "--porcelain")).toBe("");
  });

  test("a worktree keeps its commits if the run is resumed from a git hook", async () => {
    const { cwd, git } = await makeRepository();
    const before = await git("log", "--format=%H", "main");
    const [waits, commits] = [
      "touch begun; until [ -e over ]; do sleep 0.02; done",
      "echo 2 > b.txt && git add b.txt && git -c user.name=A -c user.email=a@b.example commit -qm theirs",
    ].map((command) => ({ name: "shell", arguments: { command } }));
    const { baseUrl } = await startMockModel("anthropic", [waits ?? "", commits ?? "", "Done."]);
    const state = await makeFolder();
    const words = ["run", "--worktree", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "go"];
    const { command } = await startSwitchyard(words, { cwd, env: KEY });
    const folders = async () => await readdir(join(state, "worktrees")).catch(() => []);
    const begun = async () => await readdir(join(state, "worktrees", (await folders())[0] ?? "none")).catch(() => []);
    await expect.poll(begun).toContain("begun");
    command.kill("SIGKILL");
    await command;
    const [runId = ""] = await folders();
    await writeFile(join(state, "worktrees", runId, "over"), "");
    const env = { ...KEY, GIT_DIR: join(cwd, ".git"), GIT_INDEX_FILE: join(cwd, ".git/index"), GIT_PREFIX: "" };
    expect(await switchyard(["resume", runId, "--state", state], { cwd, env })).toMatchObject({ exitCode: 0 });
    expect(await git("log", "--format=%H", "main")).toBe(before);
    expect(await git("log", "--format=%s", "--branches=switchyard/*", "--max-count=1")).toBe("theirs");
  });

  test("is refused for a repository that the workspace names and that does not list the workspace", async () => {
    const { cwd: other, git } = await makeRepository();
    const whole = await makeFolder({ ".git": `gitdir: ${join(other, ".git")}\n` });
    const { cwd: parts } = await makeRepository();
    await writeFile(join(parts, ".git/commondir"), `${join(other, ".git")}\n`);
    // The path contains a line break, so git's output with the path is ambiguous.
    const odd = join(await makeFolder(), "a\nb");
    await mkdir(odd);
    await writeFile(join(odd, ".git"), `gitdir: ${join(other, ".git")}\n`);
    for (const cwd of [whole, parts, odd]) {
      const { exitCode, stderr, state } = await runIn(cwd, ["Done."], "--worktree");
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("does not list it as one of its working trees")]);
      expect(await readdir(join(state, "worktrees")).catch(() => [])).toEqual([]);
    }
    expect(await git("branch", "--list", "switchyard/*")).toBe("");
    // A linked working tree is recognised by any path.
    const linked = join(await makeFolder(), "linked");
    await git("worktree", "add", "--quiet", linked);
    expect(await runIn(linked, [WRITES, "Done."], "--worktree")).toMatchObject({ exitCode: 0 });
  });

  test("without git it is refused, and nothing stays open or half created", async () => {
    const { cwd } = await makeRepository();
    const words = ["run", "--worktree", "--model", "anthropic/m", "--state", join(cwd, "state"), "go"];
    const { exitCode, stderr } = await switchyard(words, { cwd, env: { ...KEY, PATH: await makeFolder() } });
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^error: The command git was not found\.\nhint: .+$/);
  });

  test("a worktree without changes is removed afterwards, also if the run could not begin", async () => {
    const { cwd, git } = await makeRepository();
    const { exitCode, stderr, state } = await runIn(cwd, ["Nothing to do."], "--worktree");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(await readdir(join(state, "worktrees"))).toEqual([]);
    const refused = await switchyard(["run", "--worktree", "--model", "nobody/m", "--state", state, "go"], { cwd });
    expect(refused.exitCode).toBe(2);
    expect(await readdir(join(state, "worktrees"))).toEqual([]);
    expect(await git("branch", "--list", "switchyard/*")).toBe("");
  });

  test.each([
    { where: "in its settings", file: "config", conditions: [] },
    { where: "in a file that they include", file: "more", conditions: ["include.path"] },
    {
      where: "in files that count in a worktree only",
      file: "more",
      conditions: ["includeIf.onbranch:switchyard/**.path", "includeIf.gitdir:**/worktrees/**.path"],
    },
    { where: "in those of each worktree", file: "config.worktree", conditions: ["extensions.worktreeConfig"] },
  ])("no program that the repository names $where is executed", async ({ file, conditions }) => {
    const { cwd, git } = await makeRepository();
    const marker = join(await makeFolder(), "ran");
    await mkdir(join(cwd, ".git/hooks"), { recursive: true });
    const hook = `#!/bin/sh\necho hook >> '${marker}'\n`;
    await writeFile(join(cwd, ".git/hooks/post-checkout"), hook, { mode: 0o755 });
    await writeFile(join(cwd, ".gitattributes"), "*.txt filter=ev=il\n.gitignore filter=\n");
    await git("add", ".gitattributes");
    await git("commit", "--quiet", "--message=attributes");
    const program = `sh -c 'echo ran >> ${marker}; cat'`;
    await appendFile(
      join(cwd, ".git", file),
      `[core]\n\tfsmonitor = "${program}"\n${FILTERS.map((name) => `[filter "${name}"]\n\tsmudge = "${program}"\n\tclean = "${program}"\n`).join("")}`,
    );
    for (const name of conditions) await git("config", name, name.startsWith("ext") ? "true" : file);
    const { exitCode, state, runId } = await runIn(cwd, [WRITES, "Done."], "--worktree");
    expect(exitCode).toBe(0);
    const forked = ["runs", "fork", runId, "--worktree", "--state", state, "--model", "nobody/m", "Go on."];
    expect(await switchyard(forked, { cwd, env: KEY })).toMatchObject({ exitCode: 2 });
    expect(await switchyard(["undo", runId, "--state", state], { cwd })).toMatchObject({ exitCode: 0 });
    expect(await readFile(marker, "utf8").catch(() => "nothing ran")).toBe("nothing ran");
  });

  test("no program runs that a repository inside of it names, there before or made by the run", async () => {
    const { cwd, git } = await makeRepository();
    const marker = join(await makeFolder(), "ran");
    const inner = join(cwd, "inner");
    await git("clone", "--quiet", cwd, inner);
    await git("-c", "advice.addEmbeddedRepo=false", "add", "inner");
    await git("commit", "--quiet", "--message=inner");
    const trap = [
      "echo '* filter=evil' > .gitattributes",
      `git config filter.evil.clean "sh -c 'echo ran >> ${marker}; cat'"`,
      "sed -i s/two/TWO/ a.txt",
    ].join(" && ");
    await execa("sh", ["-c", trap], { cwd: inner });
    const answers = [{ name: "shell", arguments: { command: `git clone -q '${cwd}' inner && cd inner && ${trap}` } }];
    const { exitCode, stderr } = await runIn(cwd, [...answers, "Done."], "--worktree");
    expect(exitCode).toBe(0);
    // The worktree with the changes is retained.
    expect(stderr).toContain("Worktree: ");
    expect(await readFile(marker, "utf8").catch(() => "nothing ran")).toBe("nothing ran");
    // Proves that the prepared programs would run outside of Switchyard.
    await git("status");
    expect(await readFile(marker, "utf8")).toContain("ran");
  });

  test.each([
    {
      which: "that are too long to be read",
      problem: "the settings of the repository are too long",
      prepare: async (cwd: string) => {
        const filters = `[filter "f"]\n${`\t${"k".repeat(1000)} = 1\n`.repeat(17_000)}`;
        await appendFile(join(cwd, ".git/config"), filters);
        return {};
      },
    },
    {
      which: "that this git is too old to be told of",
      problem: "git 2.31 or newer is needed",
      prepare: async () => {
        const bin = await makeFolder();
        const { stdout } = await execa("sh", ["-c", "command -v git"]);
        await writeFile(join(bin, "git"), `#!/bin/sh\nunset GIT_CONFIG_COUNT\nexec ${stdout} "$@"\n`, { mode: 0o755 });
        return { PATH: `${bin}:${process.env["PATH"]}` };
      },
    },
  ])("is refused with filters $which", async ({ problem, prepare }) => {
    const { cwd } = await makeRepository();
    const env = await prepare(cwd);
    const words = ["run", "--worktree", "--model", "anthropic/m", "--state", await makeFolder(), "go"];
    const { exitCode, stderr } = await switchyard(words, { cwd, env: { ...KEY, ...env } });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(problem) });
  });

  test("missing objects are not fetched from the repository's remotes", async () => {
    const { cwd, git } = await makeRepository();
    const marker = join(await makeFolder(), "ran");
    const blob = await git("rev-parse", "HEAD:a.txt");
    await rm(join(cwd, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    for (const [name, value] of [
      ["core.repositoryFormatVersion", "1"],
      ["extensions.partialClone", "origin"],
      ["remote.origin.promisor", "true"],
      ["remote.origin.url", `ext::touch ${marker}`],
      ["protocol.ext.allow", "always"],
    ] as const) {
      await git("config", name, value);
    }
    const { exitCode, stderr, state } = await runIn(cwd, [WRITES, "Done."], "--worktree");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("A worktree of");
    expect(await readFile(marker, "utf8").catch(() => "nothing ran")).toBe("nothing ran");
    expect(await readdir(join(state, "worktrees"))).toEqual([]);
    expect(await git("branch", "--list", "switchyard/*")).toBe("");
  });

  test("a worktree with a new file stays, whatever settings say about untracked files", async () => {
    const { cwd, git } = await makeRepository();
    await git("config", "status.showUntrackedFiles", "no");
    const makes = { name: "shell", arguments: { command: "echo new > new.txt" } };
    const { state, runId } = await runIn(cwd, [makes, "Done."], "--worktree");
    expect(await readFile(join(state, "worktrees", runId, "new.txt"), "utf8")).toBe("new\n");
  });

  test("without a repository, or in another kind of environment, it is refused before anything runs", async () => {
    const plain = await runIn(await makeFolder(), ["Done."], "--worktree");
    expect(plain).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("A worktree of") });
    const elsewhere = await runIn((await makeRepository()).cwd, ["Done."], "--worktree", "--env", "memory");
    expect(elsewhere).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("already works on a copy") });
  });
});

test("no program that a repository names is executed when copies are compared", async () => {
  const { cwd } = await makeRepository();
  const marker = join(await makeFolder(), "ran");
  await writeFile(join(cwd, ".gitattributes"), "* filter=evil\n");
  await appendFile(join(cwd, ".git/config"), `[filter "evil"]\n\tclean = "sh -c 'echo ran >> ${marker}; cat'"\n`);
  const { baseUrl } = await startMockModel("anthropic", [WRITES, "Done."]);
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", "state", "--env", "memory", "go"];
  const { exitCode, stdout } = await switchyard(words, { cwd, env: KEY });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("b.txt  +1 -0");
  expect(await readFile(marker, "utf8").catch(() => "nothing ran")).toBe("nothing ran");
});

describe("the lock of a workspace", () => {
  const waits: Misbehaviour = answerCall("shell", { command: "touch begun; while [ -e begun ]; do sleep 0.05; done" });

  /** Starts a run that is active in a folder. */
  async function startWaiting(cwd: string, state: string, baseUrl: string) {
    const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "--events", "jsonl", "go"];
    const { command } = await startSwitchyard(words, { cwd, env: KEY });
    await expect.poll(() => readdir(cwd)).toContain("begun");
    return { command, words };
  }

  test("excludes a second run, unless it shares the folder, has its own worktree, or is read-only", async () => {
    const { cwd } = await makeRepository();
    const state = await makeFolder();
    const { baseUrl } = await startLoopbackModel(waits);
    const { command } = await startWaiting(cwd, state, baseUrl);
    const second = await startMockModel("anthropic", ["One.", "Two.", "Three."]);
    const words = ["run", "--model", "anthropic/m", "--base-url", second.baseUrl, "--state", state];
    const refused = await switchyard([...words, "go"], { cwd, env: KEY });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("Another run is using the workspace");
    expect(refused.stderr).toContain("--worktree");
    expect(second.mock.getRequests()).toHaveLength(0);
    for (const option of [["--share-workspace"], ["--worktree"], ["--mode", "plan"]]) {
      expect(await switchyard([...words, ...option, "go"], { cwd, env: KEY })).toMatchObject({ exitCode: 0 });
    }
    command.kill("SIGINT");
    await command;
    expect(await switchyard([...words, "go"], { cwd, env: KEY })).toMatchObject({ exitCode: 0 });
  });

  test("of a process that was killed is taken over", async () => {
    const [cwd, state] = [await makeFolder(), await makeFolder()];
    const { baseUrl } = await startLoopbackModel(waits);
    const { command } = await startWaiting(cwd, state, baseUrl);
    command.kill("SIGKILL");
    await command;
    expect(await readdir(join(state, "locks"))).toHaveLength(1);
    const { baseUrl: other } = await startMockModel("anthropic", ["Done."]);
    const words = ["run", "--model", "anthropic/m", "--base-url", other, "--state", state, "go"];
    expect(await switchyard(words, { cwd, env: KEY })).toMatchObject({ exitCode: 0 });
    expect(await readdir(join(state, "locks"))).toEqual([]);
  });

  test("of a killed run is taken over, after everything that run left running is ended", async ({ skip }) => {
    skip(process.platform !== "linux", "only Linux finds processes by their environment variables");
    const script = 'require("node:fs").writeFileSync("begun", String(process.pid)); setInterval(() => {}, 1000);';
    const engine = "engine:\n  name: waits\n  custom:\n    transport: local\n    local:\n      command: node\n";
    const files = { "agent.cjs": script, "engine.yaml": `${engine}      args: [agent.cjs]\n` };
    const [cwd, state] = [await makeFolder(files), await makeFolder()];
    const words = ["run", "--engine", "engine.yaml", "--state", state, "--events", "jsonl", "go"];
    const { command } = await startSwitchyard(words, { cwd });
    const pidOf = () => readFile(join(cwd, "begun"), "utf8").catch(() => "");
    await expect.poll(pidOf).not.toBe("");
    command.kill("SIGKILL");
    await command;
    const left = await pidOf();
    expect(await isProcessRunning(left)).toBe(true);
    const { baseUrl } = await startMockModel("anthropic", ["Done."]);
    const next = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "go"];
    const { exitCode, stderr } = await switchyard(next, { cwd, env: KEY });
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^note: ended one process that run \w+ had left/m)]);
    expect(await isProcessRunning(left)).toBe(false);
  });

  test("that cannot be created is reported with the reason: the state folder cannot be written to", async () => {
    const [cwd, state] = [await makeFolder(), await makeFolder({ locks: "" })];
    const words = ["run", "--model", "anthropic/m", "--state", state, "go"];
    const { exitCode, stderr } = await switchyard(words, { cwd, env: KEY });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${join(state, "locks")}`);
    expect(stderr).toContain("choose another state folder");
  });
});
