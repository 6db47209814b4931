import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openConfinedEnvironment } from "@switchyard/environment/local";
import { expect, test } from "vitest";
import { type ConfineFolder, pushCredentials } from "../../src/index.ts";
import { confinementProblem, executeShell, git, makeFolder, makeRepository } from "./make-task.ts";

const UNREADY = await confinementProblem();

function confining(home: string): ConfineFolder {
  return (root, { writes, readOnly, hidesPushCredentials }) =>
    openConfinedEnvironment({
      ...{ root, env: { ...process.env, HOME: home }, writes, readOnly },
      hidden: hidesPushCredentials ? pushCredentials(home) : [],
    });
}

test("paths outside the write scope are read-only if commands can be confined [runtime-workspace-3]", async ({
  skip,
}) => {
  skip(UNREADY !== undefined, UNREADY);
  const root = await makeFolder();
  await writeFile(join(root, "a.txt"), "one\n");
  await mkdir(join(root, "out"));
  const tries = [
    ...["echo x > new", "echo x > a.txt", "rm -f a.txt", "mv out out2", "mkdir d", `echo x > ${root}/new`],
    ...[`echo x > /proc/self/root${root}/new`, `mount -o remount,rw,bind ${root}`, `umount ${root}`],
    `unshare -rm sh -c 'mount -o remount,rw,bind ${root}; echo x > ${root}/new'`,
  ];
  const does = `echo r > out/r; mkdir -p more/inner; echo f > f.md; ${tries.map((one) => `(${one}) && echo did >> out/did`).join("; ")}; :`;
  const scope = { write_scope: "artifacts", artifact_paths: ["out", "more", "f.md", "left/empty"] };
  const outcome = await executeShell({
    ...{ does, provider: { workspace_materialization: scope }, confineFolder: confining(await makeFolder()) },
    request: { workspace: { root } },
  });
  expect(outcome).toMatchObject({ status: "succeeded", diagnostics: [] });
  expect((await readdir(root, { recursive: true })).sort()).toEqual(
    ["a.txt", "f.md", "more", "more/inner", "out", "out/r"].sort(),
  );
  expect(await readFile(join(root, "a.txt"), "utf8")).toBe("one\n");
});

test("if they cannot be confined, the outcome says so, and a detected change fails it [runtime-workspace-3]", async () => {
  const provider = { workspace_materialization: { write_scope: "none" } };
  const request = { workspace: { root: await makeFolder() } };
  const confineFolder = () => Promise.resolve(undefined);
  const good = await executeShell({ does: ":", provider, request, confineFolder });
  const diagnostic = { class: "agent_task.write_scope_not_enforced" };
  expect(good).toMatchObject({ status: "succeeded", diagnostics: [diagnostic] });
  const bad = await executeShell({ does: "echo > new", provider, request, confineFolder });
  expect(bad).toMatchObject({
    status: "failed",
    diagnostics: [diagnostic, { class: "agent_task.write_outside_scope" }],
  });
});

/** Creates a repository with remotes, and the bare repositories of the remotes. */
async function makeRemotes(): Promise<{ root: string; remotes: string[] }> {
  const root = await makeRepository({ "a.txt": "one\n" });
  const remotes = [await makeFolder(), await makeFolder()];
  for (const remote of remotes) await git(remote, "init", "--quiet", "--bare", "--initial-branch=main");
  const [origin = "", other = ""] = remotes;
  await git(root, "remote", "add", "origin", origin);
  await git(root, "remote", "add", "other", origin);
  // `pushInsteadOf` does not apply to a separate push URL.
  await git(root, "remote", "set-url", "--push", "other", `file://${other}`);
  return { root, remotes };
}

async function branchesOf(remotes: readonly string[]): Promise<string[]> {
  return Promise.all(remotes.map((remote) => git(remote, "branch", "--list")));
}

test("git cannot push to any remote, by name or by address", async () => {
  const { root, remotes } = await makeRemotes();
  const [origin = "", other = ""] = remotes;
  const tries = ["origin main", "other main", `${origin} main`, `file://${other} main`, `--no-verify other main`];
  const does = `git fetch -q origin; ${tries.map((one) => `git push -q ${one}`).join("; ")}; :`;
  const outcome = await executeShell({ does, request: { workspace: { root } } });
  expect([outcome.status, await branchesOf(remotes)]).toEqual(["succeeded", ["", ""]]);
});

test("a confined command that undoes the settings has no credentials to push", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { root, remotes } = await makeRemotes();
  const [origin = "", other = ""] = remotes;
  const home = await makeFolder();
  await mkdir(join(home, ".ssh"));
  await writeFile(join(home, ".ssh/id_test"), "a key of the test");
  await writeFile(join(home, ".git-credentials"), "https://a:password-of-the-test@127.0.0.1");
  const clean = "env -i PATH=$PATH";
  const tries = [
    ...[`${clean} git push -q origin main`, `${clean} git push -q other main`, `${clean} git send-pack ${origin} main`],
    ...[`env -u GIT_CONFIG_COUNT git push -q ${other} main`, "git -c credential.helper=store push -q origin main"],
    `cp -r .git/objects ${other}/`,
    `cat ${home}/.git-credentials ${home}/.ssh/* | grep -q test`,
  ];
  const does = `${tries.map((one) => `(${one}) && echo did >> did`).join("; ")}; :`;
  const outcome = await executeShell({ does, confineFolder: confining(home), request: { workspace: { root } } });
  expect([outcome.status, await branchesOf(remotes)]).toEqual(["succeeded", ["", ""]]);
  expect(await git(root, "status", "--porcelain")).toBe("");
});
