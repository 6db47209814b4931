import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { removeEngineFolder } from "./remove-engine-folder.ts";
import type { Missing, TestEngine } from "./test-engine.ts";
import { clientOf, hasProgram, importImages, newEngineFolder } from "./test-engine.ts";

const START_TRIES = 600;

/**
 * Starts a Docker daemon for the tests, which changes no firewall and creates no bridge. The daemon has a mount namespace
 * of its own, because mounts of containers that come and go disturb sandboxes that bind the whole file system.
 */
export async function startDocker(): Promise<TestEngine | Missing> {
  for (const program of ["dockerd", "docker", "unshare"]) {
    if (!(await hasProgram(program))) return { missing: `there is no ${program}; install docker.io and util-linux` };
  }
  if (process.getuid?.() !== 0) return { missing: "a Docker daemon of the tests' own needs root" };
  const folder = newEngineFolder("docker");
  const socket = `unix://${join(folder, "docker.sock")}`;
  const hostEnv = { PATH: process.env["PATH"] ?? "", HOME: folder, DOCKER_HOST: socket };
  const log = openSync(join(folder, "dockerd.log"), "a");
  const daemon = spawn(
    "unshare",
    [
      ...["--mount", "--propagation", "private", "dockerd"],
      ...["--data-root", join(folder, "data"), "--exec-root", join(folder, "exec"), "-p", join(folder, "dockerd.pid")],
      ...[
        "-H",
        socket,
        "--iptables=false",
        "--ip6tables=false",
        "--bridge=none",
        "--ip-forward=false",
        "--ip-masq=false",
      ],
    ],
    { stdio: ["ignore", log, log], detached: true },
  );
  closeSync(log);
  const ended = new Promise<void>((resolve) => daemon.once("exit", () => resolve()));
  daemon.on("error", () => {});
  const stop = async (): Promise<void> => {
    if (daemon.exitCode === null) daemon.kill("SIGTERM");
    await ended;
    await removeEngineFolder(folder);
  };
  const engine = { client: "docker" as const, hostEnv, folder, ...clientOf("docker", hostEnv) };
  const problem = (await answers(engine)) ? await importImages(engine) : lastLineOf(join(folder, "dockerd.log"));
  if (problem === undefined) return { ...engine, stop };
  await stop();
  return { missing: problem };
}

async function answers({ run }: Pick<TestEngine, "run">): Promise<boolean> {
  for (let attempt = 0; attempt < START_TRIES; attempt += 1) {
    if ((await run("version")).code === 0) return true;
    await delay(100);
  }
  return false;
}

function lastLineOf(path: string): string {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return `the Docker daemon does not start: ${lines.at(-1)?.slice(0, 300)}`;
}
