import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { answerCall, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** A repository with a commit, whose settings would run programs if anything heeded them. */
async function makeRepository(): Promise<{ cwd: string; git: (...argv: string[]) => Promise<string> }> {
  const cwd = await makeFolder({ "a.txt": "one\ntwo\nthree\n", ".gitignore": "*.log\n" });
  const git = async (...argv: string[]): Promise<string> => {
    const identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
    return (await execa("git", ["-C", cwd, ...identity, ...argv])).stdout;
  };
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=first");
  return { cwd, git };
}

async function runIn(cwd: string, answers: readonly MockAnswer[], ...more: readonly string[]) {
  const { baseUrl } = await startMockModel("anthropic", answers);
  const state = join(await makeFolder(), "what is kept");
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, ...more, "go"];
  const ended = await switchyard(words, { cwd, env: KEY });
  const [runId = ""] = await readdir(join(state, "runs")).catch(() => []);
  return { ...ended, state, runId };
}

const WRITES: MockAnswer = { name: "shell", arguments: { command: "echo 2 > b.txt && sed -i s/two/2/ a.txt && ls" } };

/** A name may hold what divides it from its value, and there may be none. */
const FILTERS = ["ev=il", ""];

describe("--worktree", () => {
  test("a run works on a branch of its own, and the workspace stays as it is", async () => {
    const { cwd, git } = await makeRepository();
    await writeFile(join(cwd, "uncommitted.txt"), "x");
    const { exitCode, stderr, stdout, state, runId } = await runIn(cwd, [WRITES, "Done."], "--worktree");
    expect(exitCode).toBe(0);
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    const folder = join(state, "worktrees", runId);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\n2\nthree\n");
    expect(stdout).toContain("b.txt");
    expect(stderr).toContain("what is not committed in the workspace is not in the worktree");
    expect(stderr).toContain(`Worktree: ${folder} (branch switchyard/${runId})`);
    expect(await git("branch", "--list", "switchyard/*")).toContain(runId);
    const [, command = ""] = /^Remove it with: (.*)$/m.exec(stderr) ?? [];
    await execa("sh", ["-c", command], { cwd });
    expect(await git("branch", "--list", "switchyard/*")).toBe("");
  });

  test("without git there is none, and nothing is left open or begun", async () => {
    const { cwd } = await makeRepository();
    const words = ["run", "--worktree", "--model", "anthropic/m", "--state", join(cwd, "state"), "go"];
    const { exitCode, stderr } = await switchyard(words, { cwd, env: { ...KEY, PATH: await makeFolder() } });
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^error: The command git was not found\.\nhint: .+$/);
  });

  test("one in which nothing changed is gone afterwards, also when the run could not begin", async () => {
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
  ])("no program runs that the repository names $where", async ({ file, conditions }) => {
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
    // What was done in there is kept.
    expect(stderr).toContain("Worktree: ");
    expect(await readFile(marker, "utf8").catch(() => "nothing ran")).toBe("nothing ran");
    // The traps are real.
    await git("status");
    expect(await readFile(marker, "utf8")).toContain("ran");
  });

  test.each([
    {
      which: "that are too long to be read",
      problem: "the settings of the repository are too long",
      furnish: async (cwd: string) => {
        const filters = `[filter "f"]\n${`\t${"k".repeat(1000)} = 1\n`.repeat(17_000)}`;
        await appendFile(join(cwd, ".git/config"), filters);
        return {};
      },
    },
    {
      which: "that this git is too old to be told of",
      problem: "git 2.31 or newer is needed",
      furnish: async () => {
        const bin = await makeFolder();
        const { stdout } = await execa("sh", ["-c", "command -v git"]);
        await writeFile(join(bin, "git"), `#!/bin/sh\nunset GIT_CONFIG_COUNT\nexec ${stdout} "$@"\n`, { mode: 0o755 });
        return { PATH: `${bin}:${process.env["PATH"]}` };
      },
    },
  ])("is refused with filters $which", async ({ problem, furnish }) => {
    const { cwd } = await makeRepository();
    const env = await furnish(cwd);
    const words = ["run", "--worktree", "--model", "anthropic/m", "--state", await makeFolder(), "go"];
    const { exitCode, stderr } = await switchyard(words, { cwd, env: { ...KEY, ...env } });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(problem) });
  });

  test("what is missing is not fetched from where the repository says", async () => {
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
    expect(stderr).toContain("There can be no worktree of");
    expect(await readFile(marker, "utf8").catch(() => "nothing ran")).toBe("nothing ran");
    expect(await readdir(join(state, "worktrees"))).toEqual([]);
    expect(await git("branch", "--list", "switchyard/*")).toBe("");
  });

  test("one with a new file stays, whatever settings say about files that git does not know", async () => {
    const { cwd, git } = await makeRepository();
    await git("config", "status.showUntrackedFiles", "no");
    const makes = { name: "shell", arguments: { command: "echo new > new.txt" } };
    const { state, runId } = await runIn(cwd, [makes, "Done."], "--worktree");
    expect(await readFile(join(state, "worktrees", runId, "new.txt"), "utf8")).toBe("new\n");
  });

  test("without a repository, or in a place of another kind, it is refused before anything runs", async () => {
    const plain = await runIn(await makeFolder(), ["Done."], "--worktree");
    expect(plain).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("There can be no worktree of") });
    const elsewhere = await runIn((await makeRepository()).cwd, ["Done."], "--worktree", "--env", "memory");
    expect(elsewhere).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--env local or sandbox") });
  });
});

test("what is kept in a repository has none of its programs run when copies are compared", async () => {
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

  /** A run that is at work in a folder. */
  async function startWaiting(cwd: string, state: string, baseUrl: string) {
    const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "--events", "jsonl", "go"];
    const { command } = await startSwitchyard(words, { cwd, env: KEY });
    await expect.poll(() => readdir(cwd), { timeout: 15_000 }).toContain("begun");
    return { command, words };
  }

  test("keeps a second run out, unless it shares the folder, has its own, or only looks", async () => {
    const { cwd } = await makeRepository();
    const state = await makeFolder();
    const { baseUrl } = await startLoopbackModel(waits);
    const { command } = await startWaiting(cwd, state, baseUrl);
    const second = await startMockModel("anthropic", ["One.", "Two.", "Three."]);
    const words = ["run", "--model", "anthropic/m", "--base-url", second.baseUrl, "--state", state];
    const refused = await switchyard([...words, "go"], { cwd, env: KEY });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("Another run works in");
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

  test("that cannot be made is told of as what it is: the state folder cannot be written to", async () => {
    const [cwd, state] = [await makeFolder(), await makeFolder({ locks: "" })];
    const words = ["run", "--model", "anthropic/m", "--state", state, "go"];
    const { exitCode, stderr } = await switchyard(words, { cwd, env: KEY });
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`${join(state, "locks")}`);
    expect(stderr).toContain("choose another state folder");
  });
});

describe("undo", () => {
  test("takes the changes of a run back, whatever happened elsewhere in the files", async () => {
    const { cwd, git } = await makeRepository();
    const { state, runId } = await runIn(cwd, [WRITES, "Done."]);
    await writeFile(join(cwd, "later.txt"), "of the user");
    const dry = await switchyard(["undo", runId.slice(0, 8), "--dry-run", "--state", state], { cwd });
    expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Would be taken back:") });
    expect(await readFile(join(cwd, "b.txt"), "utf8")).toBe("2\n");
    const undone = await switchyard(["undo", runId, "--json", "--state", state], { cwd: await makeFolder() });
    expect(JSON.parse(undone.stdout)).toEqual({ run_id: runId, undone: true, files: ["a.txt", "b.txt"] });
    expect(await git("status", "--porcelain")).toBe("?? later.txt");
    const again = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain("cannot be undone");
  });

  test("leaves a folder that was there before, also an empty one, and takes those back that the run made", async ({
    skip,
  }) => {
    const { cwd } = await makeRepository();
    await mkdir(join(cwd, "mine/inner"), { recursive: true });
    skip((await stat(join(cwd, "mine"))).birthtimeMs === 0, "this file system does not keep when a folder was made");
    const command = "mkdir -p mine/inner/made made && touch mine/inner/made/a made/b mine/inner/c && ls";
    const { state, runId } = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
    expect(await readdir(cwd)).toContain("made");
    expect(await switchyard(["undo", runId, "--state", state], { cwd })).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await readdir(cwd)).not.toContain("made");
    expect(await readdir(join(cwd, "mine"), { recursive: true })).toEqual(["inner"]);
  });

  test("changes nothing at all when something was edited in the same place", async () => {
    const { cwd } = await makeRepository();
    const { state, runId } = await runIn(cwd, [WRITES, "Done."]);
    await writeFile(join(cwd, "a.txt"), "one\nII\nthree\n");
    const { exitCode, stderr } = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("a.txt");
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\nII\nthree\n");
    expect(await readFile(join(cwd, "b.txt"), "utf8")).toBe("2\n");
  });

  test("changes nothing at all when one file cannot be put back", async () => {
    const { cwd } = await makeRepository();
    await writeFile(join(cwd, "z.txt"), "z\n");
    const command = "sed -i s/two/2/ a.txt && echo 2 > b.txt && rm z.txt";
    const { state, runId } = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
    await mkdir(join(cwd, "z.txt"));
    await writeFile(join(cwd, "z.txt", "own.txt"), "of the user");
    const { exitCode, stderr } = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${join(cwd, "z.txt")}: it is a folder`);
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\n2\nthree\n");
    expect((await readdir(cwd)).sort()).toEqual([".git", ".gitignore", "a.txt", "b.txt", "z.txt"]);
    await rm(join(cwd, "z.txt"), { recursive: true });
    expect(await switchyard(["undo", runId, "--state", state], { cwd })).toMatchObject({ exitCode: 0 });
    expect(await readFile(join(cwd, "z.txt"), "utf8")).toBe("z\n");
  });

  test("takes changes back in a folder that is no repository, or that its repository ignores", {
    timeout: 120_000,
  }, async () => {
    const { cwd: outer } = await makeRepository();
    await writeFile(join(outer, ".gitignore"), "inner/\n");
    await mkdir(join(outer, "inner"));
    for (const cwd of [await makeFolder(), join(outer, "inner")]) {
      await writeFile(join(cwd, "a.txt"), "one\ntwo\n");
      await writeFile(join(cwd, "image.bin"), Buffer.from([0, 1, 2]));
      const command = "sed -i s/two/2/ a.txt && printf 'x\\000y' > image.bin && printf 'gr\\374n' > \"new\nname\"";
      const answers = [{ name: "shell", arguments: { command } }, "Done."];
      const { state, runId, stdout } = await runIn(cwd, answers);
      expect(stdout).toContain("a.txt");
      const shown = await switchyard(["runs", "show", runId, "--state", state], { cwd });
      expect(shown.stdout).toContain("image.bin");
      const exported = await switchyard(["runs", "export", runId, "--state", state], { cwd });
      expect(JSON.parse(exported.stdout)).toMatchObject({ report: { workspaceDiff: expect.stringContaining("+2\n") } });
      await writeFile(join(cwd, "new\nname"), "of the user");
      const refused = await switchyard(["undo", runId, "--state", state], { cwd });
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("cannot be undone") });
      expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\n2\n");
      await writeFile(join(cwd, "new\nname"), Buffer.from("gr\xfcn", "latin1"));
      expect(await switchyard(["undo", runId, "--state", state], { cwd })).toMatchObject({ exitCode: 0 });
      expect(await readdir(cwd)).toEqual(["a.txt", "image.bin"]);
      expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\n");
      expect(await readFile(join(cwd, "image.bin"))).toEqual(Buffer.from([0, 1, 2]));
    }
  });

  test("a repository that names another folder as its own has none of it looked at or written to", async () => {
    const { cwd, git } = await makeRepository();
    const elsewhere = await makeFolder({ "a.txt": "one\n2\nthree\n" });
    const command = `git config core.worktree '${elsewhere}' && sed -i s/two/2/ a.txt`;
    const changed = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
    const undone = await switchyard(["undo", changed.runId, "--state", changed.state], { cwd });
    expect(undone).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect(await readFile(join(elsewhere, "a.txt"), "utf8")).toBe("one\n2\nthree\n");
    // From the beginning on: what changed is seen all the same.
    const seen = await runIn(cwd, [WRITES, "Done."]);
    expect(seen.stdout).toContain("b.txt");
    expect(await switchyard(["undo", seen.runId, "--state", seen.state], { cwd })).toMatchObject({ exitCode: 0 });
    expect(await readdir(cwd)).not.toContain("b.txt");
    await git("config", "--unset", "core.worktree");
    expect(await git("status", "--porcelain")).toBe("");
  });

  test("of files that a user has git convert, the bytes are taken back", async () => {
    const { cwd, git } = await makeRepository();
    await writeFile(join(cwd, ".gitattributes"), "*.txt filter=upper\n");
    const home = await makeFolder({ ".gitconfig": '[filter "upper"]\n\tclean = tr a-z A-Z\n\tsmudge = cat\n' });
    const { baseUrl } = await startMockModel("anthropic", [WRITES, "Done."]);
    const state = await makeFolder();
    const env = { ...KEY, HOME: home };
    const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "go"];
    expect(await switchyard(words, { cwd, env })).toMatchObject({ exitCode: 0 });
    const [runId = ""] = await readdir(join(state, "runs"));
    expect(await switchyard(["undo", runId, "--state", state], { cwd, env })).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect(await git("ls-files", "--others")).toBe(".gitattributes");
  });

  test("a fork with files begins with binary files as well", async () => {
    const { cwd } = await makeRepository();
    const command = "printf 'x\\000y' > image.bin";
    const { state, runId } = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done.", "Seen."]);
    const words = ["runs", "fork", runId, "--worktree", "--state", state, "Go on."];
    expect(await switchyard(words, { cwd, env: KEY })).toMatchObject({ exitCode: 0 });
    const [folder = ""] = await readdir(join(state, "worktrees"));
    expect(await readFile(join(state, "worktrees", folder, "image.bin"))).toEqual(Buffer.from("x\0y"));
  });

  test.each([
    {
      which: "in memory",
      answers: [WRITES, "Done."],
      isRepository: true,
      place: "memory",
      problem: "it worked on a copy",
    },
    { which: "that changed nothing", answers: ["Done."], isRepository: true, problem: "it changed nothing" },
  ])("a run $which cannot be undone, and it is said why", async ({ answers, isRepository, place, problem }) => {
    const cwd = isRepository ? (await makeRepository()).cwd : await makeFolder({ "a.txt": "two\n" });
    const { state, runId } = await runIn(cwd, answers, ...(place === undefined ? [] : ["--env", place]));
    const { exitCode, stderr } = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(problem);
  });
});
