import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUSYBOX_IMAGE, mustRun, type TestEngine } from "@switchyard/container-engines";
import type { DockerImageOptions } from "@switchyard/environment/docker";
import { openDockerEnvironment } from "@switchyard/environment/docker";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ENGINES } from "./engines.ts";

const HOST = fileURLToPath(new URL("ordinary-user-host.mjs", import.meta.url));
/** A user that exists neither on this machine nor in the image, and a user of the image. */
const [STRANGER, WORKER] = [
  { uid: 54_321, gid: 54_322 },
  { uid: 1000, gid: 1000 },
];

interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

describe.each(ENGINES)("$client", ({ client, start }) => {
  let engine: TestEngine;
  let missing: string | undefined;
  beforeAll(async () => {
    const started = await start();
    if ("missing" in started) ({ missing } = started);
    else engine = started;
  });
  afterAll(() => (missing === undefined ? engine.stop() : undefined), 300_000);
  beforeEach(({ skip }) => skip(missing !== undefined, `${client} cannot be used: ${missing}`));

  const newWorkspace = ({ uid, gid }: typeof STRANGER): string => {
    const folder = mkdtempSync(join(engine.folder, "work-"));
    chownSync(folder, uid, gid);
    return folder;
  };
  const options = (more: Partial<DockerImageOptions>): DockerImageOptions => ({
    image: BUSYBOX_IMAGE,
    pull: "never",
    client,
    hostEnv: engine.hostEnv,
    ...more,
  });
  /** Runs commands in a container created by a user of the container engine's group. */
  const runAs = async (user: typeof STRANGER, more: Partial<DockerImageOptions>, commands: string[]) => {
    for (const name of [".", "docker.sock"]) chmodSync(join(engine.folder, name), 0o777);
    const text = await mustRun([
      process.execPath,
      HOST,
      JSON.stringify(user),
      JSON.stringify(options(more)),
      JSON.stringify(commands),
    ]);
    const results: Result[] = JSON.parse(text);
    return results;
  };

  // Skipped with podman, because an ordinary user cannot access root's podman.
  const testOrdinary = client === "docker" ? test : () => {};

  testOrdinary("commands of an ordinary user run as that user, with a name and a home folder", async () => {
    const workspace = newWorkspace(STRANGER);
    const results = await runAs(STRANGER, { workspace }, [
      "id -u; id -g; id -un",
      "echo by a command >made.txt; mkdir -p a/b; echo x >a/b/c.txt",
      'cd && pwd && echo x >.profile && mkdir -p .cache/tool && echo "$HOME"',
    ]);
    expect(results.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([
      ["54321\n54322\nswitchyard\n", 0],
      ["", 0],
      ["/home/switchyard\n/home/switchyard\n", 0],
    ]);
    for (const name of ["made.txt", "a/b/c.txt", "by-a-tool.txt"]) {
      expect(statSync(join(workspace, name))).toMatchObject(STRANGER);
    }
    execFileSync("rm", ["-r", join(workspace, "a")], STRANGER);
  });

  testOrdinary(
    "a user that the image knows keeps its home folder, and a read-only root leaves one in /tmp",
    async () => {
      const known = await runAs(WORKER, { workspace: newWorkspace(WORKER) }, ['id -un; echo "$HOME"']);
      expect(known[0]?.stdout).toBe("worker\n/tmp\n");
      const [stranger] = await runAs(STRANGER, { workspace: newWorkspace(STRANGER), readOnlyRoot: true }, [
        "cd && pwd && echo x >file && cat file; id -u",
      ]);
      expect(stranger?.stdout).toBe("/tmp/home\nx\n54321\n");
    },
  );

  testOrdinary("`image` and a user of one's choice are kept", async () => {
    const workspace = newWorkspace(STRANGER);
    const [image] = await runAs(STRANGER, { workspace, user: "image" }, ["id -u"]);
    expect(image?.stdout).toBe("0\n");
    const [chosen] = await runAs(STRANGER, { workspace: newWorkspace(STRANGER), user: "54321:1000" }, [
      "id -u; id -g; cd && pwd",
    ]);
    expect(chosen?.stdout).toBe("54321\n1000\n/home/switchyard\n");
  });

  test("root stays root, and without a mounted folder the image's user is used", async () => {
    const workspace = mkdtempSync(join(engine.folder, "work-"));
    for (const more of [{ workspace }, {}, { user: "caller" }]) {
      await using environment = await openDockerEnvironment(options(more));
      expect((await environment.shell("id -u; echo x >file; cat file")).stdout).toBe("0\nx\n");
    }
  });

  const makeWorktree = (pointer?: (path: string) => string) => {
    const folder = mkdtempSync(join(engine.folder, "git-"));
    const [main, linked] = [join(folder, "main"), join(folder, "linked")];
    const git = (cwd: string, ...args: string[]): void =>
      void execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.example", ...args], { cwd, stdio: "pipe" });
    mkdirSync(main);
    git(main, "init", "-q");
    git(main, "commit", "-q", "--allow-empty", "-m", "first");
    git(main, "worktree", "add", "-q", "../linked");
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const gitDirectory = join(main, ".git/worktrees/linked");
    if (pointer !== undefined) writeFileSync(join(linked, ".git"), `gitdir: ${pointer(gitDirectory)}\n`);
    return { folder, main, linked };
  };

  test("a linked worktree's repository is mounted read-only, also with a relative path", async () => {
    const absolute = makeWorktree();
    const relative = makeWorktree(() => "../main/.git/worktrees/linked");
    for (const { linked } of [absolute, relative]) {
      await using environment = await openDockerEnvironment(options({ workspace: linked }));
      const gitDirectory = 'own=$(sed -n "s/^gitdir: //p" .git) && cd "$own" && cd "$(cat commondir)"';
      const { stdout } = await environment.shell(
        `${gitDirectory} && ls -d HEAD objects refs && (echo x >HEAD || echo refused)`,
      );
      expect(stdout).toBe("HEAD\nobjects\nrefs\nrefused\n");
    }
  });

  test("a folder that names a foreign repository does not see that repository", async () => {
    const { main, folder } = makeWorktree();
    const stranger = join(folder, "stranger");
    mkdirSync(stranger);
    for (const named of [join(main, ".git"), join(main, ".git/worktrees/linked"), folder]) {
      writeFileSync(join(stranger, ".git"), `gitdir: ${named}\n`);
      await using environment = await openDockerEnvironment(options({ workspace: stranger }));
      expect((await environment.shell(`ls ${main} || echo absent`)).stdout).toBe("absent\n");
    }
  });
});
