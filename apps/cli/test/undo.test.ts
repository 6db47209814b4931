import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { KEY, makeRepository, runIn, WRITES } from "./run-in-repository.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const LINES = Array.from({ length: 400 }, (_, index) => `${index + 1}\n`).join("");

describe("undo", () => {
  test("reverts the changes of a run once, whatever else changed in the files", async () => {
    const { cwd, git } = await makeRepository();
    const { state, runId } = await runIn(cwd, [WRITES, "Done."]);
    await writeFile(join(cwd, "later.txt"), "of the user");
    const dry = await switchyard(["undo", runId.slice(0, 8), "--dry-run", "--state", state], { cwd });
    expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Would be reverted:") });
    expect(await readFile(join(cwd, "b.txt"), "utf8")).toBe("2\n");
    const undone = await switchyard(["undo", runId, "--json", "--state", state], { cwd: await makeFolder() });
    expect(JSON.parse(undone.stdout)).toEqual({ run_id: runId, undone: true, files: ["a.txt", "b.txt"] });
    expect(await git("status", "--porcelain")).toBe("?? later.txt");
    const again = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toMatch(/cannot be undone: it was already undone at 20\d\d-/);
    const shown = await switchyard(["runs", "show", runId, "--state", state], { cwd });
    expect(shown.stdout).toMatch(/^Undone: +20\d\d-/m);
    const json = await switchyard(["runs", "show", runId, "--json", "--state", state], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({ undone_at: expect.stringMatching(/^20/) });
  });

  test("keeps a folder that existed before, also an empty one, and removes those that the run created", async ({
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

  test("changes nothing at all if the same lines were edited afterwards", async () => {
    const { cwd } = await makeRepository();
    const { state, runId } = await runIn(cwd, [WRITES, "Done."]);
    await writeFile(join(cwd, "a.txt"), "one\nII\nthree\n");
    const { exitCode, stderr } = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("a.txt");
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\nII\nthree\n");
    expect(await readFile(join(cwd, "b.txt"), "utf8")).toBe("2\n");
  });

  test("changes nothing at all if one file cannot be restored", async () => {
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

  test("reverts changes in a folder that is not in a repository, or that its repository ignores", async () => {
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

  test("a folder that a repository names as its own outside the workspace is neither read nor written", async () => {
    const { cwd, git } = await makeRepository();
    const elsewhere = await makeFolder({ "a.txt": "one\n2\nthree\n" });
    const command = `git config core.worktree '${elsewhere}' && sed -i s/two/2/ a.txt`;
    const changed = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
    const undone = await switchyard(["undo", changed.runId, "--state", changed.state], { cwd });
    expect(undone).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect(await readFile(join(elsewhere, "a.txt"), "utf8")).toBe("one\n2\nthree\n");
    // The changes are also detected in a run that starts with this setting.
    const seen = await runIn(cwd, [WRITES, "Done."]);
    expect(seen.stdout).toContain("b.txt");
    expect(await switchyard(["undo", seen.runId, "--state", seen.state], { cwd })).toMatchObject({ exitCode: 0 });
    expect(await readdir(cwd)).not.toContain("b.txt");
    await git("config", "--unset", "core.worktree");
    expect(await git("status", "--porcelain")).toBe("");
  });

  test("restores the original bytes of files that git converts by the user's configuration", async () => {
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

  test.for([
    { filter: "lfs", clean: "git-lfs clean -- %f", text: LINES, stored: "git-lfs.github.com/spec" },
    { filter: "rot", clean: "tr a-z n-za-m", text: "same size\n", stored: "fnzr fvmr" },
  ])(
    "reverts files that the filter $filter stores byte by byte, and shows the lines that were added",
    async ({ filter, clean, text, stored }, { skip }) => {
      const isMissing = filter === "lfs" && (await execa("git", ["lfs", "version"], { reject: false })).failed;
      skip(isMissing, "Git LFS is not installed");
      const { cwd, git } = await makeRepository();
      await writeFile(join(cwd, ".gitattributes"), `*.bin filter=${filter} -text\n`);
      await writeFile(join(cwd, "a.bin"), text);
      // The modification time is older than the index, so that git considers the file unchanged without reading it.
      const long = new Date(Date.now() - 3_600_000);
      await utimes(join(cwd, "a.bin"), long, long);
      const settings = [`filter.${filter}.clean=${clean}`, `filter.${filter}.required=true`];
      await git(...settings.flatMap((setting) => ["-c", setting]), "add", "--all");
      await git("commit", "--quiet", "--message", "two");
      expect(await git("show", "HEAD:a.bin")).toContain(stored);
      const command = "echo more >> a.bin";
      const { state, runId, stdout } = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
      expect(stdout).toContain("a.bin  +1 -0");
      expect(await switchyard(["undo", runId, "--state", state], { cwd })).toMatchObject({ exitCode: 0 });
      expect(await readFile(join(cwd, "a.bin"), "utf8")).toBe(text);
    },
  );

  test("reverts an inner repository and a name that is not UTF-8, and names files that git ignores", async () => {
    const { cwd, git } = await makeRepository();
    await mkdir(join(cwd, "inner"));
    await writeFile(join(cwd, "inner/x.txt"), "x\n");
    await git("init", "--quiet", "inner");
    await writeFile(join(cwd, ".gitignore"), "*.log\n");
    await writeFile(join(cwd, "run.log"), "old\n");
    const command = "echo y >> inner/x.txt && printf n > \"$(printf 'gr\\374n')\" && echo new > run.log";
    const { state, runId, stdout } = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
    expect(stdout).toContain("inner/x.txt  +1 -0");
    expect(stdout).toContain("Changed, but not in the diff:\n  run.log (ignored by git)");
    const undone = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(undone).toMatchObject({ exitCode: 0, stderr: "" });
    expect(undone.stdout).toContain("Not restored:\n  run.log (ignored by git)");
    expect(await readFile(join(cwd, "inner/x.txt"), "utf8")).toBe("x\n");
    expect((await readdir(cwd)).sort()).toEqual([".git", ".gitignore", "a.txt", "inner", "run.log"]);
  });

  test("says why installed files of a plain folder are not restored", async () => {
    const cwd = await makeFolder({ "a.txt": "one\n" });
    const command = "mkdir -p node_modules/x sub/.venv && touch node_modules/x/y sub/.venv/z && echo two >> a.txt";
    const { state, runId, stdout } = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
    expect(stdout).toContain("node_modules/ (installed dependencies, which are not recorded)");
    const undone = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(undone).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining("ignored by git") });
    expect(undone.stdout).toContain("node_modules/ (installed dependencies, which are not recorded)");
    expect(undone.stdout).toContain("sub/ (installed dependencies, which are not recorded)");
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\n");
  });

  test("counts the changed files that git ignores beyond the first ten", async () => {
    const { cwd } = await makeRepository();
    await writeFile(join(cwd, ".gitignore"), "*.log\n");
    const command = "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo > $n.log; done";
    const { stdout } = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
    expect(stdout).toMatch(/^ {2}… 2 more$/m);
  });

  test("reports that commits of the run stay, and restores branches and staged changes with --commits", async () => {
    const { cwd, git } = await makeRepository();
    const head = await git("rev-parse", "HEAD");
    const command =
      "sed -i s/two/2/ a.txt && git -c user.name=a -c user.email=a@b.c commit -qam agent && git checkout -qb feature";
    for (const words of [[], ["--commits"]]) {
      const { state, runId, stdout } = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
      expect(stdout).toMatch(/Git:\n {2}HEAD moved from \S+ to feature\n/);
      const undone = await switchyard(["undo", runId, ...words, "--state", state], { cwd });
      expect(undone).toMatchObject({ exitCode: 0, stderr: "" });
      expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
      const isRestored = words.length > 0;
      const expected = isRestored ? "Restored in git:" : "Not restored in git; --commits restores it:";
      expect(undone.stdout).toContain(expected);
      expect((await git("branch", "--list", "feature")) === "").toBe(isRestored);
      if (isRestored) {
        expect(await git("rev-parse", "HEAD")).toBe(head);
        expect(await git("status", "--porcelain")).toBe("");
      } else {
        await git("checkout", "--quiet", "--force", "-B", "main", head);
        await git("branch", "--quiet", "-D", "feature");
      }
    }
  });

  test("refuses everything if a secret prevented the exact changes from being stored", async () => {
    const { cwd } = await makeRepository();
    const command = `echo "$ANTHROPIC_API_KEY ${KEY.ANTHROPIC_API_KEY}" > key.txt && sed -i s/two/2/ a.txt`;
    const { state, runId } = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
    const { exitCode, stderr } = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("its exact changes are not stored");
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\n2\nthree\n");
  });

  test("refuses a run that changed a file too large to be stored, and restores the others with --partial", async () => {
    const cwd = await makeFolder({ "a.txt": "one\n" });
    await writeFile(join(cwd, "large.bin"), Buffer.alloc(11 * 1024 * 1024));
    const command = "echo two > a.txt && echo more >> large.bin";
    const { state, runId, stdout } = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
    expect(stdout).toContain("large.bin");
    const refused = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("large.bin was too large or unreadable");
    expect(refused.stderr).toContain("--partial restores the others");
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("two\n");
    const undone = await switchyard(["undo", runId, "--partial", "--state", state], { cwd });
    expect(undone).toMatchObject({ exitCode: 0, stderr: "" });
    expect(undone.stdout).toMatch(/Not restored:\n {2}large\.bin /);
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\n");
    expect((await stat(join(cwd, "large.bin"))).size).toBe(11 * 1024 * 1024 + 5);
  });

  test("restores permissions and empty folders of a run that changed nothing else", async () => {
    const { cwd } = await makeRepository();
    await chmod(join(cwd, "a.txt"), 0o640);
    await mkdir(join(cwd, "empty"), { mode: 0o750 });
    const command = "chmod 600 a.txt && rmdir empty && mkdir made && chmod 700 made";
    const { state, runId } = await runIn(cwd, [{ name: "shell", arguments: { command } }, "Done."]);
    const dry = await switchyard(["undo", runId, "--dry-run", "--state", state], { cwd });
    expect(dry).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await stat(join(cwd, "a.txt"))).mode & 0o777).toBe(0o600);
    expect(await switchyard(["undo", runId, "--state", state], { cwd })).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await stat(join(cwd, "a.txt"))).mode & 0o777).toBe(0o640);
    expect((await stat(join(cwd, "empty"))).mode & 0o777).toBe(0o750);
    expect(await readdir(cwd)).not.toContain("made");
    const again = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(again.stderr).toContain("it was already undone");
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
  ])("a run $which cannot be undone, and the reason is reported", async ({ answers, isRepository, place, problem }) => {
    const cwd = isRepository ? (await makeRepository()).cwd : await makeFolder({ "a.txt": "two\n" });
    const { state, runId } = await runIn(cwd, answers, ...(place === undefined ? [] : ["--env", place]));
    const { exitCode, stderr } = await switchyard(["undo", runId, "--state", state], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(problem);
  });
});
