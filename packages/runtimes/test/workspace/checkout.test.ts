import { once } from "node:events";
import { access, appendFile, chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { wrapEnvironment } from "@switchyard/environment/wrappers";
import { secret } from "@switchyard/secrets";
import { expect, onTestFinished, test } from "vitest";
import { type ExecuteTaskOptions, sweepCheckouts } from "../../src/index.ts";
import { executeShell, git, makeFolder, makeRepository } from "./make-task.ts";

const CHECKOUT = { workspace_materialization: { cwd: "git_checkout" } };

test("a fresh checkout of an exact ref is worked in, and its changes come back as a patch [runtime-workspace-1]", async () => {
  const root = await makeRepository({ "a.txt": "one\n", gone: "x\n" });
  const first = await git(root, "rev-parse", "HEAD");
  await writeFile(join(root, "a.txt"), "later\n");
  await git(root, "commit", "--quiet", "--all", "--message=second");
  await writeFile(join(root, "mess"), "not committed");
  const stateFolder = await makeFolder();
  const outcome = await executeShell({
    does: "git log --format=%s; test ! -e mess; echo two >> a.txt; rm gone; printf '\\0\\1' > new; git remote",
    ...{ provider: CHECKOUT, stateFolder },
    request: { workspace: { root, mode: "materialized", base_ref: first } },
  });
  expect(outcome).toMatchObject({ status: "succeeded", metadata: { workspace: { base_commit: first } } });
  const [patch] = outcome.artifacts;
  expect(patch).toMatchObject({ kind: "patch", metadata: { files: ["a.txt", "gone", "new"] } });
  // The workspace is unchanged, and the patch contains the changes of the task.
  expect(await git(root, "status", "--porcelain")).toBe("?? mess");
  await git(root, "checkout", "--quiet", first);
  await git(root, "apply", patch?.path ?? "");
  expect(await readFile(join(root, "a.txt"), "utf8")).toBe("one\ntwo\n");
  expect([...(await readFile(join(root, "new")))]).toEqual([0, 1]);
  await expect(access(join(root, "gone"))).rejects.toThrow();
  expect(await readdir(join(stateFolder, "checkouts"))).toEqual([]);
});

test("a folder that names a repository which does not list it gets no checkout", async () => {
  const other = await makeRepository({ "private.txt": "x\n" });
  await git(other, "clone", "--quiet", "--bare", other, "bare.git");
  await git(other, "worktree", "add", "--quiet", "linked");
  const checkOut = (root: string) =>
    executeShell({
      does: "cat private.txt",
      provider: CHECKOUT,
      request: { workspace: { root, mode: "materialized" } },
    });
  const [file, parts, none] = [await makeFolder(), await makeFolder(), await makeFolder()];
  await writeFile(join(file, ".git"), `gitdir: ${join(other, ".git")}\n`);
  await git(parts, "init", "--quiet", "--bare");
  await writeFile(join(parts, "commondir"), `${join(other, ".git")}\n`);
  for (const root of [file, parts]) {
    const problem = expect.stringContaining("does not list it as one of its working trees");
    expect(await checkOut(root)).toMatchObject({ status: "provider_error", diagnostics: [{ message: problem }] });
  }
  const problem = expect.stringContaining("not a git repository");
  expect(await checkOut(none)).toMatchObject({ status: "provider_error", diagnostics: [{ message: problem }] });
  for (const root of [join(other, "bare.git"), join(other, "linked")]) {
    expect(await checkOut(root)).toMatchObject({ status: "succeeded" });
  }
});

test("changes are made in the workspace on request, but not if it has changed meanwhile", async () => {
  const root = await makeRepository({ "a.txt": "one\n" });
  const request = { workspace: { root, mode: "materialized" }, policy: { apply: "apply" } };
  const apply = () =>
    executeShell({ does: "echo two >> a.txt; mkdir -p d; echo d > d/e", provider: CHECKOUT, request });
  expect(await apply()).toMatchObject({ status: "succeeded", metadata: { workspace: { apply_back: "applied" } } });
  expect(await git(root, "status", "--porcelain")).toBe("M a.txt\n?? d/");
  // The file has been changed in the workspace since the checkout.
  const refused = { metadata: { workspace: { apply_back: "refused" } }, artifacts: [{ kind: "patch" }] };
  expect(await apply()).toMatchObject({ status: "succeeded", ...refused });
  const late = await executeShell({
    does: `echo two >> a.txt; git -C ${root} -c user.name=a -c user.email=a@b.example commit -qam meanwhile`,
    ...{ provider: CHECKOUT, request },
  });
  expect(late).toMatchObject(refused);
  expect(late.diagnostics).toMatchObject([{ message: expect.stringContaining("has moved on: its last commit is ") }]);
  expect(await git(root, "show", "--format=", "--name-only", "HEAD")).toBe("a.txt");
});

test("no program that the repository or the provider configures is executed for the host", async () => {
  const root = await makeRepository({ "a.txt": "one\n", ".gitattributes": "* filter=evil diff=evil\n" });
  const proof = join(await makeFolder(), "ran");
  const hook = join(root, ".git/hooks/post-checkout");
  await mkdir(join(root, ".git/hooks"), { recursive: true });
  await writeFile(hook, `#!/bin/sh\necho hook >> ${proof}\n`);
  await chmod(hook, 0o755);
  const evil = `[core]\n fsmonitor = echo fsmonitor >> ${proof}\n[filter "evil"]\n clean = tee -a ${proof}\n smudge = tee -a ${proof}\n`;
  await appendFile(join(root, ".git/config"), evil);
  const does = `cat >> .git/config <<'E'\n${evil}[diff "evil"]\n textconv = tee -a ${proof}\nE\necho two >> a.txt`;
  const request = { workspace: { root, mode: "materialized" }, policy: { apply: "apply" } };
  const outcome = await executeShell({ does, provider: CHECKOUT, request });
  expect(outcome).toMatchObject({ status: "succeeded", metadata: { workspace: { apply_back: "applied" } } });
  await expect(access(proof)).rejects.toThrow();
});

test("no program configured by repositories inside a checkout is executed for the host; of each repository the commit is used", async () => {
  const root = await makeRepository({ "a.txt": "one\n" });
  const proof = join(await makeFolder(), "ran");
  for (const name of ["moved", "same", "left", "gone"]) await git(root, "clone", "--quiet", root, name);
  await git(root, "-c", "advice.addEmbeddedRepo=false", "add", "--all");
  await git(root, "commit", "--quiet", "--message=inner");
  const trap = `echo '* filter=evil' > .gitattributes; git config filter.evil.clean 'tee -a ${proof}'; echo ONE > a.txt`;
  const commit = "git -c user.name=a -c user.email=a@b.example commit -q --allow-empty -m next";
  const clone = (name: string) => `git clone -q ${join(root, name)} ${name}; cd ${name}`;
  const outcome = await executeShell({
    does: `rmdir gone; (${clone("same")}; ${trap}); (${clone("moved")}; ${commit}; git rev-parse HEAD > ../head; ${trap})`,
    provider: CHECKOUT,
    request: { workspace: { root, mode: "materialized" } },
  });
  await expect(access(proof)).rejects.toThrow();
  const [patch] = outcome.artifacts;
  expect(patch).toMatchObject({ kind: "patch", metadata: { files: ["gone", "head", "moved"] } });
  const text = await readFile(patch?.path ?? "", "utf8");
  const head = /^\+([0-9a-f]{40})$/mu.exec(text)?.[1] ?? "";
  expect(text).toContain(`+Subproject commit ${head}`);
});

test.each(["noPrefix = true", "context = 0", "mnemonicPrefix = true", "external = false"])(
  "changes are made in the workspace although the user likes to read them otherwise: diff.%s",
  async (setting) => {
    const root = await makeRepository({ "a.txt": "one\n" });
    const home = await makeFolder();
    await writeFile(join(home, ".gitconfig"), `[diff]\n\t${setting}\n`);
    const outcome = await executeShell({
      does: "echo two >> a.txt; mkdir d; echo d > d/e",
      openFolder: (folder) => openLocalEnvironment({ root: folder, env: { ...process.env, HOME: home } }),
      provider: CHECKOUT,
      request: { workspace: { root, mode: "materialized" }, policy: { apply: "apply" } },
    });
    expect(outcome).toMatchObject({ status: "succeeded", metadata: { workspace: { apply_back: "applied" } } });
    expect(await readFile(join(root, "d/e"), "utf8")).toBe("d\n");
  },
);

test("missing objects of a writable checkout are not fetched from the repository's remotes", async () => {
  const root = await makeRepository({ "a.txt": "one\n" });
  const proof = join(await makeFolder(), "ran");
  const evil = `[core]\n repositoryformatversion = 1\n[extensions]\n partialClone = origin\n[remote "origin"]\n promisor = true\n url = ext::touch ${proof}\n[protocol "ext"]\n allow = always\n`;
  const commit = await git(root, "rev-parse", "HEAD");
  const object = join(root, ".git/objects", commit.slice(0, 2), commit.slice(2));
  const outcome = await executeShell({
    does: `cat >> ${root}/.git/config <<'E'\n${evil}E\nrm -f ${object}; echo two >> a.txt`,
    provider: CHECKOUT,
    request: { workspace: { root, mode: "materialized" }, policy: { apply: "apply" } },
  });
  expect(outcome).toMatchObject({ metadata: { workspace: { apply_back: "refused" } } });
  await expect(access(proof)).rejects.toThrow();
});

test("the patch of a checkout contains only the write scope; other changes are a failure [runtime-workspace-3]", async () => {
  const root = await makeRepository({ "a.txt": "one\n" });
  const scope = { cwd: "git_checkout", write_scope: "artifacts", artifact_paths: ["out"] };
  const outcome = await executeShell({
    does: "mkdir out; echo r > out/r; echo two >> a.txt",
    provider: { workspace_materialization: scope },
    request: { workspace: { root, mode: "materialized" }, policy: { apply: "apply" } },
  });
  expect(outcome).toMatchObject({ status: "failed", failure_classification: "policy_denied" });
  expect(outcome.artifacts).toMatchObject([{ metadata: { files: ["out/r"] } }]);
  expect(await git(root, "status", "--porcelain")).toBe("");
});

test("an invalid repository, ref or address is refused before anything runs", async () => {
  const root = await makeRepository({ "a.txt": "one\n" });
  const proof = join(await makeFolder(), "ran");
  const tries: readonly [Readonly<Record<string, unknown>>, RegExp][] = [
    [{ ref: "--upload-pack=touch x" }, /ref is not a Git ref/u],
    [{ ref: "main..HEAD" }, /ref is not a Git ref/u],
    [{ ref: "nothing-of-that-name" }, /A worktree of .+ cannot be created/u],
    [{ repository: "ext::sh -c 'touch x'" }, /may begin with https, ssh or file/u],
    [{ repository: "git://127.0.0.1/x" }, /may begin with https, ssh or file/u],
    [{ repository: "-x" }, /neither an absolute path nor an address/u],
    [{ repository: "https://user:pass@127.0.0.1/x" }, /contains a credential/u],
    [{ repository: "https://127.0.0.1/x", credential_env: "NOT_THERE" }, /NOT_THERE/u],
    [{ repository: await makeFolder() }, /A worktree of .+ cannot be created/u],
  ];
  for (const [materialization, said] of tries) {
    const request = { workspace: { root, materialization } };
    const outcome = await executeShell({ does: `touch ${proof}`, provider: CHECKOUT, request });
    expect(outcome.status, outcome.summary).not.toBe("succeeded");
    expect(outcome.summary).toMatch(said);
    expect(outcome.summary).not.toContain("pass@");
  }
  await expect(access(proof)).rejects.toThrow();
});

test("the credential of a repository is passed neither to the command nor to the output", async () => {
  const request = { workspace: { materialization: { repository: "https://127.0.0.1:1/x", credential_env: "REPO" } } };
  const secrets = { REPO: secret("a-password-of-the-test") };
  const outcome = await executeShell({ does: "env", provider: CHECKOUT, request, secrets });
  expect(outcome).toMatchObject({ status: "provider_error" });
  expect(JSON.stringify(outcome)).not.toContain("a-password-of-the-test");
});

test("a checkout from a server that does not respond ends when the task is cancelled", async () => {
  const stop = new AbortController();
  const server = createServer(() => stop.abort());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const request = { workspace: { materialization: { repository: `https://127.0.0.1:${port}/x` } } };
  const outcome = await executeShell({ does: "true", provider: CHECKOUT, request, signal: stop.signal });
  expect(outcome.status).toBe("cancelled");
});

test("the checkout of a process that died is removed by the next one", async () => {
  const stateFolder = await makeFolder();
  const root = await makeRepository({ "a.txt": "one\n" });
  const outcome = await executeShell({
    ...{ does: "pwd > where; cat where >&2", provider: CHECKOUT, stateFolder },
    request: { workspace: { root, mode: "materialized" }, artifact_declarations: [{ name: "where", path: "where" }] },
  });
  const where = /^\+(.+)$/mu.exec(await readFile(outcome.artifacts[0]?.path ?? "", "utf8").then(lastAdded))?.[1] ?? "";
  const name = where.split("/").at(-2) ?? "";
  // The folder's name with a start time that belongs to no living process.
  const dead = name.replace(/^(\d+)-\d+-/u, "$1-1-");
  await mkdir(join(stateFolder, "checkouts", dead), { recursive: true });
  await mkdir(join(stateFolder, "checkouts", name));
  expect(await sweepCheckouts(stateFolder)).toBe(1);
  expect(await readdir(join(stateFolder, "checkouts"))).toEqual([name]);
});

/** Returns the part of a patch from its first hunk header on. */
function lastAdded(patch: string): string {
  return patch.slice(patch.indexOf("@@"));
}

test("a disk without space for a checkout is no failure of the task: it may be retried, also on another machine", async () => {
  const root = await makeRepository({ "a.txt": "one\n" });
  // Output of git if the disk is full.
  const full = { stdout: "", stderr: "error: unable to write file a.txt: No space left on device\n", exitCode: 1 };
  const openFolder: ExecuteTaskOptions["openFolder"] = async (folder) =>
    wrapEnvironment(await openLocalEnvironment({ root: folder, env: process.env }), {
      suffix: "full",
      command: async ({ command, options = {} }, exec) => {
        const result = await exec(options);
        return command?.includes("checkout") === true ? { ...result, ...full } : result;
      },
    });
  const trial = {
    ...{ does: "true", provider: CHECKOUT, openFolder },
    request: { workspace: { root, mode: "materialized" } },
  };
  const pauses: number[] = [];
  const outcome = await executeShell({ ...trial, pause: async (ms) => void pauses.push(ms) });
  expect(outcome).toMatchObject({ status: "provider_error", failure_classification: "transient", retryable: true });
  expect([outcome.summary, pauses.length]).toEqual([expect.stringMatching(/cannot be written: the disk is full$/), 2]);
  const elsewhere = executeShell({ ...trial, rejectsOnStorageFault: true });
  await expect(elsewhere).rejects.toMatchObject({ code: "run.store_failed" });
});
