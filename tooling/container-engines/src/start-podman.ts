import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeEngineFolder } from "./remove-engine-folder.ts";
import { mustRun } from "./run-program.ts";
import type { Missing, TestEngine } from "./test-engine.ts";
import { clientOf, hasProgram, importImages, newEngineFolder } from "./test-engine.ts";

/**
 * A `podman` that enters a mount namespace. `PROCESS` is the id of a process in the namespace, and `PROGRAM` is the path
 * of Podman.
 */
const ENTER = `#!/bin/sh
exec nsenter --mount=/proc/PROCESS/ns/mnt -- sh -c 'cd -- "$0" && exec "$@"' "$PWD" PROGRAM "$@"
`;

/**
 * Starts a process that keeps a mount namespace for all calls of Podman, because mounts of containers that come and go
 * disturb sandboxes that bind the whole file system. Resolves when the namespace exists.
 */
async function keepMountNamespace(): Promise<ChildProcess> {
  const keeper = spawn("unshare", ["--mount", "--propagation", "private", "sh", "-c", "echo; exec cat"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  if (keeper.stdout !== null) await Promise.race([once(keeper.stdout, "data"), once(keeper, "exit")]);
  return keeper;
}

/** Podman with a separate store. It has no daemon: only its settings distinguish it from the machine's Podman. */
export async function startPodman(): Promise<TestEngine | Missing> {
  for (const program of ["podman", "runc", "unshare", "nsenter"]) {
    if (!(await hasProgram(program))) return { missing: `there is no ${program}; install podman, runc and util-linux` };
  }
  if (process.getuid?.() !== 0) return { missing: "Podman with a store of the tests' own needs root" };
  const folder = newEngineFolder("podman");
  // runc and these limits: crun refuses some kernels' cgroups, and not every root may raise its limits.
  writeFileSync(
    join(folder, "containers.conf"),
    `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
netns = "none"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
`,
  );
  writeFileSync(
    join(folder, "storage.conf"),
    `[storage]
driver = "overlay"
graphroot = "${join(folder, "root")}"
runroot = "${join(folder, "run")}"
`,
  );
  const keeper = await keepMountNamespace();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const program = (await mustRun(["sh", "-c", "command -v podman"])).trim();
  const script = ENTER.replace("PROCESS", String(keeper.pid)).replace("PROGRAM", program);
  writeFileSync(join(bin, "podman"), script, { mode: 0o755 });
  const hostEnv = {
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    CONTAINERS_CONF: join(folder, "containers.conf"),
    CONTAINERS_STORAGE_CONF: join(folder, "storage.conf"),
  };
  const engine = { client: "podman" as const, hostEnv, folder, ...clientOf("podman", hostEnv) };
  const stop = async (): Promise<void> => {
    await engine.run("rm", "--all", "--force");
    keeper.stdin?.end();
    if (keeper.exitCode === null && keeper.signalCode === null) await once(keeper, "exit");
    await removeEngineFolder(folder);
  };
  const problem = await importImages(engine);
  if (problem === undefined) return { ...engine, stop };
  await stop();
  return { missing: problem };
}
