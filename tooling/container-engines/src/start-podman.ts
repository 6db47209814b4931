import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeEngineFolder } from "./remove-engine-folder.ts";
import type { Missing, TestEngine } from "./test-engine.ts";
import { clientOf, hasProgram, importImages, newEngineFolder } from "./test-engine.ts";

/** Podman with a separate store. It has no daemon: only its settings distinguish it from the machine's Podman. */
export async function startPodman(): Promise<TestEngine | Missing> {
  for (const program of ["podman", "runc"]) {
    if (!(await hasProgram(program))) return { missing: `there is no ${program}; install podman and runc` };
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
  const hostEnv = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    CONTAINERS_CONF: join(folder, "containers.conf"),
    CONTAINERS_STORAGE_CONF: join(folder, "storage.conf"),
  };
  const engine = { client: "podman" as const, hostEnv, folder, ...clientOf("podman", hostEnv) };
  const stop = async (): Promise<void> => {
    await engine.run("rm", "--all", "--force");
    await removeEngineFolder(folder);
  };
  const problem = await importImages(engine);
  if (problem === undefined) return { ...engine, stop };
  await stop();
  return { missing: problem };
}
