import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { secret } from "@switchyard/secrets";
import { expect, onTestFinished, test } from "vitest";
import { checkOutSource } from "../src/index.ts";

const run = promisify(execFile);

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-source-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a repository with two commits, and with a filter and a hook that would leave a mark if git executed them. */
async function makeRepository() {
  const folder = await makeFolder();
  const [repository, mark] = [join(folder, "app"), join(folder, "mark")];
  await mkdir(repository);
  const git = async (...argv: string[]) =>
    (
      await run("git", ["-c", "user.name=n", "-c", "user.email=e@example.com", ...argv], { cwd: repository })
    ).stdout.trim();
  const commit = async (text: string): Promise<string> => {
    await writeFile(join(repository, "a.txt"), text);
    await git("add", "--all");
    await git("commit", "--quiet", "-m", text.trim());
    return git("rev-parse", "HEAD");
  };
  await git("init", "--quiet", "--initial-branch=main");
  await writeFile(join(repository, ".gitattributes"), "*.txt filter=evil\n");
  const first = await commit("one\n");
  await git("tag", "v1");
  const second = await commit("two\n");
  const evil = join(folder, "evil.sh");
  await writeFile(evil, `#!/bin/sh\ntouch ${mark}\ncat\n`);
  await chmod(evil, 0o755);
  await git("config", "filter.evil.smudge", evil);
  await git("config", "uploadpack.packObjectsHook", evil);
  return { folder, url: `file://${repository}`, first, second, mark, evil };
}

async function isThere(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}

test("a branch, a tag, a commit and HEAD are checked out with raw bytes and history, and without remotes", async () => {
  const { url, first, second, mark } = await makeRepository();
  for (const [ref, commit] of [
    ["main", second],
    ["v1", first],
    [first, first],
    [undefined, second],
  ] as const) {
    const folder = await makeFolder();
    expect(await checkOutSource({ url, ref }, { folder, env: process.env })).toBe(commit);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe(commit === first ? "one\n" : "two\n");
    const { stdout } = await run("git", ["log", "--format=%H"], { cwd: folder });
    expect(stdout.trim().split("\n")).toEqual(commit === first ? [first] : [second, first]);
    expect((await run("git", ["status", "--porcelain"], { cwd: folder })).stdout).toBe("");
    expect((await run("git", ["remote"], { cwd: folder })).stdout).toBe("");
  }
  expect(await isThere(mark)).toBe(false);
});

test("the commit of an earlier attempt is checked out although the branch has moved", async () => {
  const { url, first } = await makeRepository();
  const folder = await makeFolder();
  expect(await checkOutSource({ url, ref: "main" }, { folder, env: process.env, commit: first })).toBe(first);
  expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\n");
});

test("a filter that the user has configured is not applied to the files", async () => {
  const { url, folder: base, mark, evil } = await makeRepository();
  const config = join(base, "gitconfig");
  await writeFile(config, `[core]\n\tautocrlf = true\n[filter "evil"]\n\tsmudge = ${evil}\n`);
  const folder = await makeFolder();
  await checkOutSource({ url }, { folder, env: { ...process.env, GIT_CONFIG_GLOBAL: config } });
  expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("two\n");
  expect(await isThere(mark)).toBe(false);
});

test.each([
  [{ url: "ext::sh" }, "https://, ssh:// or file:///"],
  [{ url: "--upload-pack=id" }, "forbidden|https://"],
  [{ url: "https://user:word@localhost/app.git" }, "credential"],
  [{ url: "file:///srv/app.git", ref: "--upload-pack=id" }, "is not a branch"],
  [{ url: "file:///srv/app.git", ref: "+a:b" }, "is not a branch"],
  [{ url: "file:///nowhere/at/all.git" }, "nowhere"],
])("%j is refused", async (source, problem) => {
  await expect(checkOutSource(source, { folder: await makeFolder(), env: process.env })).rejects.toMatchObject({
    code: "workspace.source_failed",
    message: expect.stringMatching(problem),
  });
});

test("a ref that does not exist is named by git's message", async () => {
  const { url } = await makeRepository();
  await expect(
    checkOutSource({ url, ref: "gone" }, { folder: await makeFolder(), env: process.env }),
  ).rejects.toMatchObject({ code: "workspace.source_failed", message: expect.stringContaining("gone") });
});

test("ssh gets the key file and no other option, and a password is never an argument", async () => {
  const { folder: base } = await makeRepository();
  const bin = join(base, "bin");
  await mkdir(bin);
  await writeFile(
    join(bin, "ssh"),
    `#!/bin/sh\nfor word; do printf '%s\\n' "$word"; done > ${base}/words\nenv > ${base}/env\nexit 1\n`,
  );
  await chmod(join(bin, "ssh"), 0o755);
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, SSH_AUTH_SOCK: "/agent", DEPLOY: "of the host" };
  const url = "ssh://git@git.example.com:2222/team/app.git";
  const credential = { keyFile: "/keys/it's mine", password: secret("the-password") };
  await expect(checkOutSource({ url }, { folder: await makeFolder(), env, credential })).rejects.toMatchObject({
    code: "workspace.source_failed",
  });
  const words = (await readFile(join(base, "words"), "utf8")).trim().split("\n");
  expect(words.slice(0, 5)).toEqual([
    "-oBatchMode=yes",
    "-oConnectTimeout=30",
    "-oIdentitiesOnly=yes",
    "-i",
    "/keys/it's mine",
  ]);
  expect(words.slice(-2)).toEqual(["git@git.example.com", "git-upload-pack '/team/app.git'"]);
  const variables = await readFile(join(base, "env"), "utf8");
  expect(words.join() + variables).not.toContain("the-password");
  expect(variables).not.toMatch(/SSH_AUTH_SOCK|DEPLOY/u);
});
