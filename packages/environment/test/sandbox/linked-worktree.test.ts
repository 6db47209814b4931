import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { git, makeFolders, makeRepository, openIn, UNREADY } from "./open-sandbox.ts";

test("a workspace in a hidden folder is visible with its repository, and nothing else of that folder", async ({
  skip,
}) => {
  if (UNREADY !== undefined) skip(UNREADY);
  const folders = makeFolders({ "a.txt": "one\n" });
  makeRepository(folders.root);
  const state = join(folders.home, "state");
  const root = join(state, "worktrees/run");
  mkdirSync(join(state, "runs"), { recursive: true });
  writeFileSync(join(state, "runs/secret.txt"), "secret of a run\n");
  git(folders.root, "worktree", "add", "-q", "-b", "topic", root);
  const { environment } = await openIn({ ...folders, root }, { stateDirectory: state });
  expect(await environment.readFile("a.txt")).toBe("one\n");
  await environment.writeFile("b.txt", "two\n");
  const commit = "git add . && git -c user.name=A -c user.email=a@b.example commit -qm second && git log --format=%s";
  expect(await environment.shell(commit)).toMatchObject({ stdout: "second\nfirst\n", exitCode: 0 });
  expect((await environment.glob("*")).map(String).join()).not.toContain("secret");
  const seen = await environment.shell(
    `cat ${state}/runs/secret.txt; ls ${state} ${state}/worktrees; echo x >${state}/made`,
  );
  expect(seen.stdout).not.toMatch(/secret|runs/);
  expect(seen.stderr).toMatch(/No such file/);
  await expect(environment.readFile("../../runs/secret.txt")).rejects.toMatchObject({ code: /environment/ });
  expect(git(folders.root, "log", "--format=%s", "topic")).toBe("second\nfirst\n");
});

test("the repository of a linked worktree below /tmp is visible, by an absolute and a relative path", async ({
  skip,
}) => {
  if (UNREADY !== undefined) skip(UNREADY);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "linked-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [main, root, home, outside] = ["main", "linked", "home", "outside"].map((name) => join(folder, name));
  if (main === undefined || root === undefined || home === undefined || outside === undefined) return;
  for (const path of [main, home, outside]) mkdirSync(path);
  makeRepository(main);
  git(main, "worktree", "add", "-q", "-b", "topic", root);
  for (const relative of [false, true]) {
    if (relative) {
      writeFileSync(join(root, ".git"), "gitdir: ../main/.git/worktrees/linked\n");
      writeFileSync(join(main, ".git/worktrees/linked/gitdir"), "../../../../linked/.git\n");
    }
    const { environment } = await openIn({ root, home, outside });
    const { stdout, exitCode } = await environment.shell("git log --format=%s; git status --short");
    expect([stdout, exitCode]).toEqual(["first\n", 0]);
    const written = await environment.shell("echo x >>../main/.git/config || echo refused; ls ../main ../outside");
    expect(written.stdout).toBe("refused\n../main:\n");
  }
});
