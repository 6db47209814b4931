import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, onTestFinished, test, vi } from "vitest";
import { takeSnapshot } from "../src/index.ts";

const execute = promisify(execFile);

const TOOLS = [
  ...["awk", "base64", "cat", "chmod", "cksum", "comm", "cp", "cut", "find", "git", "grep", "head", "ln"],
  ...["ls", "mkdir", "mv", "paste", "rm", "rmdir", "sed", "sh", "sort", "stat", "tee", "touch", "tr", "wc", "xargs"],
];

/** Creates a folder for `PATH` whose tools write their name to a log before they run. */
async function countTools(folder: string, log: string): Promise<string> {
  await mkdir(folder);
  for (const name of TOOLS) {
    const { stdout } = await execute("sh", ["-c", 'command -v "$1"', "sh", name]);
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\necho ${name} >> '${log}'\nexec ${stdout.trim()} "$@"\n`);
    await chmod(path, 0o755);
  }
  return folder;
}

// Each process takes about a millisecond, and each script is a round trip if the workspace is remote.
test.for([
  { kind: "plain folder", setUp: ":", scripts: 2, processes: 21 },
  { kind: "repository", setUp: "git init -q && git add a && git commit -qm one", scripts: 3, processes: 35 },
])("a snapshot of a $kind with its changes starts few processes", async ({ setUp, scripts, processes }) => {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-processes-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [root, log] = [join(folder, "root"), join(folder, "log")];
  await mkdir(root);
  await writeFile(join(root, "a"), "a\n");
  const author = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@example.com" };
  const committer = { GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@example.com" };
  await execute("sh", ["-c", setUp], { cwd: root, env: { PATH: process.env["PATH"], ...author, ...committer } });
  const path = await countTools(join(folder, "tools"), log);
  await using environment = await openLocalEnvironment({ root, env: { PATH: path, HOME: folder } });
  const exec = vi.spyOn(environment, "exec");
  const snapshot = await takeSnapshot(environment, { scratch: join(folder, "scratch") });
  await writeFile(join(root, "a"), "changed\n");
  await writeFile(join(root, "b"), "new\n");
  const changes = await snapshot?.changes();
  expect(changes?.diff).toContain("+changed");
  expect(changes?.diff).toContain("+new");
  expect(exec).toHaveBeenCalledTimes(scripts);
  const names = (await readFile(log, "utf8")).trim().split("\n");
  expect(names.length, names.join(" ")).toBeLessThanOrEqual(processes);
});
