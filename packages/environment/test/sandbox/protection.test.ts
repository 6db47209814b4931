import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { git, makeFolders, makeRepository, namesIn, openIn, openSandbox, UNREADY } from "./open-sandbox.ts";

const PROTECTED = [
  ".git/hooks/post-commit",
  ".git/config",
  ".gitmodules",
  ".envrc",
  ".vscode/tasks.json",
  ".idea/a.xml",
  ".claude/settings.json",
  ".cursor/mcp.json",
  ".mcp.json",
  ".npmrc",
  ".bashrc",
  ".profile",
  ".zshrc",
];

test("git commit works in a repository, while hooks and configuration are protected", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders({ "a.txt": "a" });
  makeRepository(folders.root);
  const before = readFileSync(join(folders.root, ".git/config"), "utf8");
  const { environment, root } = await openIn(folders);
  const commit = "echo b > b.txt && git status --short && git add -A && git commit -q -m second && git log --format=%s";
  expect(await environment.shell(commit)).toMatchObject({
    exitCode: 0,
    stdout: "?? b.txt\nsecond\nfirst\n",
    stderr: "",
  });
  expect(git(root, "show", "--format=", "--name-only", "HEAD")).toBe("b.txt\n");
  expect(
    await environment.shell("git checkout -q -b topic && git stash list && git gc -q && git branch"),
  ).toMatchObject({
    exitCode: 0,
  });
  for (const command of [
    "git config core.fsmonitor evil",
    "echo x >> .git/config",
    "rm -f .git/config",
    "mv .git/config .git/other",
    "mv .git .git-old",
    "rm -rf .git/hooks",
    "mv .git/hooks .git/h",
    "echo x > .git/hooks/pre-commit",
    "ln .git/config .git/hard && echo x >> .git/hard",
    "echo x > .git/config.worktree",
    "ln -sf /tmp .git/hooks",
    "chmod 777 .git/hooks",
  ]) {
    const { exitCode } = await environment.shell(command);
    expect(exitCode, command).not.toBe(0);
  }
  expect(readFileSync(join(root, ".git/config"), "utf8")).toBe(before);
  expect(namesIn(root)).toEqual([".git", "a.txt", "b.txt"]);
  expect(git(root, "status", "--short")).toBe("");
});

test("a command cannot redirect git to another configuration", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders();
  makeRepository(folders.root);
  const { environment, root } = await openIn(folders);
  await environment.shell("mkdir evil && cp -r .git/* evil/ && echo ../evil > .git/commondir");
  expect(existsSync(join(root, ".git/commondir"))).toBe(false);
  await expect(environment.writeFile(".git/commondir", "../evil")).rejects.toMatchObject({
    code: "environment.permission_denied",
  });
});

test.for(PROTECTED)("%s cannot be created if missing, and no placeholder remains", async (path, { skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  // Some names are protected only in a home folder.
  const folders = makeFolders();
  const { environment, root } = await openIn({ ...folders, home: folders.root });
  const command = `mkdir -p "$(dirname ${path})" 2>/dev/null; echo evil > ${path}`;
  expect((await environment.shell(command)).exitCode).not.toBe(0);
  expect(namesIn(root)).toEqual([]);
  await expect(environment.writeFile(path, "evil")).rejects.toMatchObject({ code: "environment.permission_denied" });
  expect(existsSync(join(root, path))).toBe(false);
});

test.for(PROTECTED)("%s cannot be changed, removed or replaced if it exists", async (path, { skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { environment, root } = await openSandbox({ [path]: "mine", "new.txt": "evil" });
  const top = path.split("/")[0];
  for (const command of [
    `echo evil > ${path}`,
    `rm -f ${path}`,
    `cp new.txt ${path}`,
    `mv new.txt ${path}`,
    `mv ${top} elsewhere`,
    `rm -rf ${top} && mkdir ${top}`,
    `ln -sf new.txt ${path}`,
  ]) {
    const { exitCode } = await environment.shell(command);
    expect(exitCode, command).not.toBe(0);
  }
  for (const change of [
    () => environment.writeFile(path, "evil"),
    () => environment.remove(path),
    () => environment.remove(top ?? ""),
    () => environment.rename("new.txt", path),
    () => environment.rename(path, "elsewhere"),
    () => environment.rename(top ?? "", "elsewhere"),
  ])
    await expect(change()).rejects.toMatchObject({ code: "environment.permission_denied" });
  expect(await environment.readFile(path)).toBe("mine");
  expect(await environment.shell(`cat ${path}`)).toMatchObject({ stdout: "mine" });
  expect(readFileSync(join(root, path), "utf8")).toBe("mine");
});

test("file operations are rejected through links too", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { environment, root } = await openSandbox({ ".vscode/tasks.json": "mine" });
  symlinkSync(".vscode", join(root, "editor"));
  symlinkSync(".envrc", join(root, "plain.txt"));
  for (const path of ["editor/tasks.json", "editor/new.json", "plain.txt", ".VSCODE/tasks.json"])
    await expect(environment.writeFile(path, "evil")).rejects.toMatchObject({ code: "environment.permission_denied" });
  await expect(environment.makeDirectory(".idea/inner")).rejects.toMatchObject({
    code: "environment.permission_denied",
  });
  expect(existsSync(join(root, ".envrc"))).toBe(false);
});

test("placeholders of missing names are not listed as files while a command runs", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders({ "a.txt": "a" });
  makeRepository(folders.root);
  const { environment, root } = await openIn(folders);
  await using running = await environment.spawn(["sh", "-c", "echo up; cat"]);
  await running.stdout.getReader().read();
  expect(existsSync(join(root, ".envrc"))).toBe(true);
  expect((await environment.listDirectory(".")).map(({ name }) => name)).toEqual([".git", "a.txt"]);
  expect(await environment.exists(".envrc")).toBe(false);
  expect(await environment.glob("**/*")).toEqual(["a.txt"]);
  await expect(environment.readFile(".vscode")).rejects.toMatchObject({ code: "environment.file_not_found" });
  expect(git(root, "status", "--short")).toBe("");
  await running[Symbol.asyncDispose]();
  await environment.exec(["true"]);
  expect(namesIn(root)).toEqual([".git", "a.txt"]);
});

test("a file written into a placeholder is preserved", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { environment, root } = await openSandbox();
  await using running = await environment.spawn(["sh", "-c", "echo up; cat"]);
  await running.stdout.getReader().read();
  writeFileSync(join(root, ".vscode/settings.json"), "mine");
  await running[Symbol.asyncDispose]();
  await environment.exec(["true"]);
  expect(namesIn(root)).toEqual([".vscode"]);
  expect(await environment.readFile(".vscode/settings.json")).toBe("mine");
});

test("an environment does not remove placeholders that another one's command needs", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders();
  const [first, second] = [await openIn(folders), await openIn(folders)];
  await using running = await first.environment.spawn(["sh", "-c", "echo up; read line; echo evil > .envrc; ls -A"]);
  await running.stdout.getReader().read();
  await second.environment.exec(["true"]);
  expect(existsSync(join(folders.root, ".envrc"))).toBe(true);
  const writer = running.stdin.getWriter();
  await writer.write(Buffer.from("\n"));
  await running.exited;
  await running[Symbol.asyncDispose]();
  await first.environment.exec(["true"]);
  expect(namesIn(folders.root)).toEqual([]);
});

test("submodules and inner repositories are protected like the workspace's repository", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders({ "lib/b.txt": "b", "a.txt": "a", "clones/c/c.txt": "c" });
  const { root, outside } = folders;
  const library = join(outside, "library");
  mkdirSync(library);
  makeRepository(library);
  makeRepository(root);
  makeRepository(join(root, "clones/c"));
  git(root, "submodule", "--quiet", "add", library, "vendor/library");
  git(root, "commit", "-q", "-m", "submodule");
  const { environment } = await openIn(folders);
  for (const command of [
    "echo x > vendor/library/.git",
    "mv vendor/library vendor/old",
    "mv vendor old",
    "rm -rf vendor/library/.git",
    "echo x > .git/modules/vendor/library/hooks/pre-commit",
    "echo x > .git/modules/vendor/library/config",
    // `mv` is not used, because it would copy the folder and then remove what it can.
    `python3 -c 'import os; os.rename(".git/modules/vendor/library", ".git/modules/x")'`,
    "mv .git/modules .git/old",
    "echo x > clones/c/.git/hooks/pre-commit",
    "git -C clones/c config core.fsmonitor evil",
    "mv clones/c/.git clones/c/old",
  ]) {
    const { exitCode } = await environment.shell(command);
    expect(exitCode, command).not.toBe(0);
  }
  const commit = "cd vendor/library && echo x > x && git add x && git -c user.name=a -c user.email=b@c commit -q -m x";
  expect(await environment.shell(commit)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await environment.shell("git add vendor && git commit -q -m update && git log -1 --format=%s")).toMatchObject({
    exitCode: 0,
    stdout: "update\n",
  });
});

test("git commit works in a linked worktree, and the repository's hooks and configuration are protected", async ({
  skip,
}) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders();
  const main = join(folders.outside, "main");
  mkdirSync(main);
  makeRepository(main);
  git(main, "worktree", "add", "-q", "-b", "topic", join(folders.root, "tree"));
  const { environment, root } = await openIn({ ...folders, root: join(folders.root, "tree") });
  expect(
    await environment.shell("echo a > a && git add a && git commit -q -m second && git log --format=%s"),
  ).toMatchObject({ stdout: "second\nfirst\n", exitCode: 0 });
  for (const command of [
    "git config core.fsmonitor evil",
    `echo x > ${main}/.git/hooks/pre-commit`,
    `echo x > ${main}/new`,
    `echo x > ${main}/.git/commondir`,
    "echo 'gitdir: /tmp' > .git",
    'echo /tmp > "$(git rev-parse --git-dir)/commondir"',
  ]) {
    const { exitCode } = await environment.shell(command);
    expect(exitCode, command).not.toBe(0);
  }
  expect(namesIn(root)).toEqual([".git", "a"]);
  expect(git(main, "log", "--format=%s", "topic")).toBe("second\nfirst\n");
});

test("a workspace whose .git falsely names a worktree does not see that repository", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders();
  const other = join(folders.outside, "other");
  mkdirSync(other);
  makeRepository(other);
  writeFileSync(join(folders.root, ".git"), `gitdir: ${join(other, ".git")}\n`);
  const { environment } = await openIn(folders);
  expect((await environment.shell("git commit --allow-empty -m evil")).exitCode).not.toBe(0);
  expect(git(other, "log", "--format=%s")).toBe("first\n");
});

test("the hooks folder named by the configuration is protected", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders({ "tools/hooks/pre-push": "mine" });
  makeRepository(folders.root);
  git(folders.root, "config", "core.hooksPath", "tools/hooks");
  const { environment } = await openIn(folders);
  expect((await environment.shell("echo evil > tools/hooks/pre-commit")).exitCode).not.toBe(0);
  expect((await environment.shell("echo fine > tools/other")).exitCode).toBe(0);
});

test("a protected name that is a link is rejected, unless it is unprotected", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders({ "agents/a.md": "a" });
  symlinkSync("agents", join(folders.root, ".claude"));
  await expect(openIn(folders)).rejects.toMatchObject({
    code: "environment.unavailable",
    message: expect.stringContaining(".claude cannot be protected, because it is a symbolic link"),
  });
  const { environment } = await openIn(folders, { unprotect: [".claude"] });
  expect(await environment.shell("ls .claude")).toMatchObject({ stdout: "a.md\n" });
});

test("a repository can be created if .git is unprotected", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { environment, root } = await openSandbox({}, { unprotect: [".git"] });
  expect(await environment.shell("git init -q . && ls -A .git | head -1")).toMatchObject({ exitCode: 0 });
  expect(execFileSync("git", ["rev-parse", "--is-inside-work-tree"], { cwd: root, encoding: "utf8" })).toBe("true\n");
});
