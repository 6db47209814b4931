import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  BUSYBOX_IMAGE,
  type Missing,
  mustRun,
  startDocker,
  startPodman,
  type TestEngine,
} from "@switchyard/container-engines";
import { sandboxReadiness } from "@switchyard/environment/local";
import { startFakeCluster } from "../kubernetes/fake-cluster.ts";
import { startTestSshd } from "../ssh/test-sshd.ts";
import type { StartedEnvironment, TaskEnvironment } from "./task-environment.ts";

const SCRIPT = "greet.sh";
const KEEP_ALIVE = "trap 'exit 0' TERM; while :; do sleep 60 & wait $!; done";
const FAKE_CLUSTER = "kubectl, fake API server";

function readFrom(folder: string): () => Promise<string> {
  return async () => readFileSync(join(folder, SCRIPT), "utf8");
}

/** A folder for the PATH with one program in it that leads to another with further arguments. */
function programPath(folder: string, name: string, command: string): string {
  const path = join(folder, "path");
  mkdirSync(path);
  writeFileSync(join(path, name), `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(join(path, name), 0o755);
  return `${path}:${process.env["PATH"] ?? ""}`;
}

async function startImage(
  start: () => Promise<TestEngine | Missing>,
  project: string,
): Promise<StartedEnvironment | string> {
  const engine = await start();
  if ("missing" in engine) return engine.missing;
  const { folder, hostEnv, client } = engine;
  // The command takes the first client that it finds, and some systems have Podman under Docker's name.
  const variables = client === "docker" ? hostEnv : { ...hostEnv, PATH: programPath(folder, "docker", "podman") };
  return { env: `docker:${BUSYBOX_IMAGE}`, variables, readRepaired: readFrom(project), stop: () => engine.stop() };
}

async function startContainer(project: string): Promise<StartedEnvironment | string> {
  const engine = await startDocker();
  if ("missing" in engine) return engine.missing;
  const { must, run, hostEnv } = engine;
  await must("run", "-d", "--name", "task", "--network", "none", BUSYBOX_IMAGE, "sh", "-c", KEEP_ALIVE);
  await must("cp", project, "task:/project");
  return {
    env: "docker:@task:/project",
    reportedAs: "docker:@task",
    variables: hostEnv,
    readRepaired: async () => (await run("exec", "task", "cat", `/project/${SCRIPT}`)).stdout,
    stop: () => engine.stop(),
  };
}

async function startSsh(project: string): Promise<StartedEnvironment | string> {
  const sshd = await startTestSshd();
  if (typeof sshd === "string") return sshd;
  // The client uses the home folder from the system's user database, and not HOME.
  const ssh = (await mustRun(["sh", "-c", "command -v ssh"])).trim();
  return {
    env: `ssh:testhost${project}`,
    reportedAs: "ssh:testhost",
    variables: { HOME: sshd.folder, PATH: programPath(sshd.folder, "ssh", `${ssh} -F ${sshd.configFile}`) },
    readRepaired: readFrom(project),
    stop: () => sshd.stop(),
  };
}

async function startPod(): Promise<StartedEnvironment | string> {
  const cluster = await startFakeCluster();
  if ("missing" in cluster) return cluster.missing;
  const variables = { KUBECONFIG: cluster.kubeconfig, HOME: cluster.folder };
  return { env: "k8s:busybox:1", variables, stop: () => cluster.stop() };
}

async function startSharedPod(project: string): Promise<StartedEnvironment | string> {
  const cluster = await startFakeCluster();
  if ("missing" in cluster) return cluster.missing;
  await cluster.addPod("task", { share: project });
  return {
    env: `k8s:@task/main:${project}`,
    reportedAs: "k8s:@task",
    variables: { KUBECONFIG: cluster.kubeconfig, HOME: cluster.folder },
    readRepaired: readFrom(project),
    stop: () => cluster.stop(),
  };
}

async function startSandbox(project: string): Promise<StartedEnvironment | string> {
  const { missing } = await sandboxReadiness({ ...process.env });
  if (missing.length > 0) return missing.map(({ problem }) => problem).join("; ");
  return { env: "sandbox", readRepaired: readFrom(project) };
}

/** All environments that `switchyard run --env` supports. */
export const TASK_ENVIRONMENTS: readonly TaskEnvironment[] = [
  {
    ...{ name: "local", component: "this machine", isReal: true },
    start: async (project) => ({ env: "local", readRepaired: readFrom(project) }),
  },
  { name: "sandbox", component: "bubblewrap", isReal: true, start: startSandbox },
  { name: "memory", component: "just-bash (emulated)", isReal: true, start: async () => ({ env: "memory" }) },
  {
    ...{ name: "docker:IMAGE", component: "Docker daemon", isReal: true },
    start: (project) => startImage(startDocker, project),
  },
  { name: "docker:@CONTAINER", component: "Docker daemon", isReal: true, start: startContainer },
  {
    ...{ name: "docker:IMAGE by Podman", component: "Podman", isReal: true },
    start: (project) => startImage(startPodman, project),
  },
  { name: "ssh:HOST", component: "OpenSSH server on loopback", isReal: true, start: startSsh },
  { name: "k8s:IMAGE", component: FAKE_CLUSTER, isReal: false, start: startPod },
  { name: "k8s:@POD", component: FAKE_CLUSTER, isReal: false, start: startSharedPod },
];
