import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { openConnectionRelay } from "@switchyard/environment";
import type { KubernetesImageOptions, KubernetesPodOptions } from "@switchyard/environment/kubernetes";
import { openKubernetesEnvironment, sweepKubernetesPods } from "@switchyard/environment/kubernetes";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { copyPerl } from "../docker/import-perl.ts";
import { killTestClients } from "../engine/kill-own-clients.ts";
import { runKilledHost } from "../engine/run-killed-host.ts";
import { failure } from "./api-answers.ts";
import type { FakeCluster } from "./fake-cluster.ts";
import { startFakeCluster } from "./fake-cluster.ts";
import type { ExecFault } from "./fake-exec.ts";
import type { FakeProcesses } from "./fake-pod.ts";
import { endedStatus, runningStatus, unplacedStatus, waitingStatus } from "./pod-record.ts";

let cluster: FakeCluster;
let missing: string | undefined;
beforeAll(async () => {
  const started = await startFakeCluster();
  if ("missing" in started) ({ missing } = started);
  else cluster = started;
});
afterAll(() => (missing === undefined ? cluster.stop() : undefined));
beforeEach(({ skip }) => {
  skip(missing !== undefined, `pods cannot be started with the installed kubectl: ${missing}`);
  cluster.intercept = undefined;
});

const reach = () => ({
  kubeconfig: cluster.kubeconfig,
  hostEnv: { PATH: process.env["PATH"], HOME: cluster.folder, SECRET_OF_HOST: "x" },
});
const openNew = (more: Partial<KubernetesImageOptions> = {}) =>
  openKubernetesEnvironment({ ...reach(), image: "busybox:1", ...more });
const openFound = (pod: string, more: Partial<KubernetesPodOptions> = {}) =>
  openKubernetesEnvironment({ ...reach(), pod, ...more });
const createdPods = (): string[] =>
  [...cluster.pods.values()].map(({ name }) => name).filter((name) => name.startsWith("switchyard-"));
/** Returns the command lines of all processes in a pod. */
const listCommands = async (processes: FakeProcesses | undefined): Promise<string> => {
  let text = "";
  for await (const chunk of processes?.exec(["ps", "-o", "args"], false).stdout ?? []) text += String(chunk);
  return text;
};
const unavailable = (problem: RegExp) => ({
  code: "environment.unavailable",
  message: expect.stringMatching(problem),
});

test("commands and files are in a new pod, which is deleted at the end [loop-4.3-2]", async () => {
  const environment = await openNew();
  await environment.writeFile("src/a.txt", "one\ntwo\n");
  expect(await environment.readFile("src/a.txt")).toBe("one\ntwo\n");
  const { stdout, stderr, exitCode } = await environment.shell("cat src/a.txt; pwd; env; echo oops >&2; exit 3");
  expect(stdout).toContain("one\ntwo\n/workspace\n");
  expect(stdout).not.toContain("SECRET_OF_HOST");
  expect([stderr, exitCode]).toEqual(["oops\n", 3]);
  expect(environment).toMatchObject({ name: "k8s:busybox:1", workingDirectory: "/workspace" });
  const [name = ""] = createdPods();
  expect(readdirSync(join(cluster.folder, "pods", name, "workspace", "src"))).toEqual(["a.txt"]);
  await environment[Symbol.asyncDispose]();
  await environment[Symbol.asyncDispose]();
  expect(createdPods()).toEqual([]);
});

test("a pod is created with limits, without a token, and never restarts", async () => {
  const environment = await openNew({
    memory: "256Mi",
    cpus: 0.5,
    user: 1000,
    readOnlyRoot: true,
    activeDeadlineSeconds: 600,
    podSpec: { nodeSelector: { disk: "ssd" } },
  });
  onTestFinished(() => environment[Symbol.asyncDispose]());
  const [pod] = [...cluster.pods.values()].filter(({ name }) => name.startsWith("switchyard-"));
  expect(pod?.metadata["labels"]).toMatchObject({
    "app.kubernetes.io/managed-by": "switchyard",
    "switchyard.owner": expect.stringMatching(new RegExp(`^${process.pid}-\\d+-[0-9a-f]{8}-[0-9a-f]{8}$`)),
    "switchyard.mark": expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(pod?.spec).toMatchObject({
    restartPolicy: "Never",
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    activeDeadlineSeconds: 600,
    nodeSelector: { disk: "ssd" },
    containers: [
      {
        resources: { limits: { memory: "256Mi", cpu: "500m" }, requests: { memory: "256Mi", cpu: "100m" } },
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsUser: 1000 },
        volumeMounts: [{ mountPath: "/workspace" }, { mountPath: "/tmp" }],
      },
    ],
  });
});

test("a running pod is left unchanged", async () => {
  await cluster.addPod("mine", { workingDir: "/data" });
  const environment = await openFound("mine");
  expect(environment).toMatchObject({ name: "k8s:@mine", workingDirectory: "/data" });
  await environment.writeFile("a.txt", "kept");
  await environment[Symbol.asyncDispose]();
  const reopened = await openFound("mine", { container: "main", workingDirectory: "/data" });
  expect(await reopened.readFile("a.txt")).toBe("kept");
  await reopened[Symbol.asyncDispose]();
});

test("commands in a pod reach a server of the host through a relay, which ends with the environment", async () => {
  const share = join(cluster.folder, "perl");
  mkdirSync(share);
  const at = (path: string): string => join(share, path);
  const { program, loader, libraries, modules } = copyPerl(share);
  const found = [
    "--library-path",
    libraries.map(at).join(":"),
    at(program),
    ...modules.flatMap((path) => ["-I", at(path)]),
  ];
  await cluster.addPod("relays", { share });

  writeFileSync(join(cluster.folder, "shared/bin/perl"), `#!/bin/sh\nexec ${[at(loader), ...found].join(" ")} "$@"\n`);
  chmodSync(join(cluster.folder, "shared/bin/perl"), 0o755);
  const server = createServer((request, response) => void request.pipe(response));
  const environment = await openFound("relays");
  const relay = await openConnectionRelay(environment, (connection) => server.emit("connection", connection));
  const post = `head -c 300000 /dev/zero | tr '\\0' x >/tmp/sent; wget -q -O - --post-file /tmp/sent ${relay.url} | cmp - /tmp/sent && echo same`;
  expect((await environment.shell(post)).stdout).toBe("same\n");
  await environment[Symbol.asyncDispose]();
  await relay.ended;
});

test("no process or file remains in an existing pod, even after its clients were killed [loop-4.3-2]", async () => {
  const { processes } = await cluster.addPod("stays");
  const environment = await openFound("stays", { killGraceMs: 200 });
  const command = environment.exec(["sleep", "401"]);
  const spawned = await environment.spawn(["sh", "-c", "sleep 402 & echo up; wait"]);
  await spawned.stdout.getReader().read();
  expect(killTestClients("stays")).toBeGreaterThan(0);
  await Promise.allSettled([command, spawned.exited]);
  await environment[Symbol.asyncDispose]();
  expect(await listCommands(processes)).toContain("sleep 60");
  await expect.poll(() => listCommands(processes)).not.toMatch(/sleep 40[12]/);
});

test("the pod of a killed host is swept; pods of live hosts are not", async () => {
  const living = await openNew();
  onTestFinished(() => living[Symbol.asyncDispose]());
  const spared = createdPods();
  await runKilledHost("kubernetes", { ...reach(), image: "busybox:1" });
  expect(createdPods()).toHaveLength(2);
  expect(await sweepKubernetesPods(reach())).toBe(1);
  expect(createdPods()).toEqual(spared);
  expect(await sweepKubernetesPods(reach())).toBe(0);
});

test("a killed host leaves no process in an existing pod", async () => {
  const { processes } = await cluster.addPod("outlives");
  await runKilledHost("kubernetes", { ...reach(), pod: "outlives", killGraceMs: 200 });
  await expect.poll(() => listCommands(processes)).not.toMatch(/sleep 70[12]/);
});

test("the next environment deletes pods of a killed host", async () => {
  await runKilledHost("kubernetes", { ...reach(), image: "busybox:1" });
  expect(createdPods()).toHaveLength(1);
  await (await openNew())[Symbol.asyncDispose]();
  expect(createdPods()).toEqual([]);
});

test("waits for a pod that starts slowly", async () => {
  let requests = 0;
  const late = () => {
    requests += 1;
    return requests > 3 ? runningStatus("main") : waitingStatus("main", "ContainerCreating");
  };
  cluster.images.set("late:1", { status: late });
  await using environment = await openNew({ image: "late:1" });
  expect(requests).toBeGreaterThan(3);
  expect((await environment.exec(["echo", "late"])).stdout).toBe("late\n");
});

test.each([
  ["has no image", waitingStatus("main", "ImagePullBackOff", "Back-off pulling image"), /ImagePullBackOff: Back-off/],
  ["has no valid image", waitingStatus("main", "InvalidImageName"), /cannot run: InvalidImageName/],
  ["ends at once", endedStatus("main", "StartError", 128), /cannot run: StartError/],
  ["is evicted", { ...endedStatus("main", "Error", 137), reason: "Evicted" }, /cannot run: Evicted/],
])("a pod that %s is reported immediately and deleted", async (name, status, problem) => {
  const image = `${name.replaceAll(" ", "-")}:1`;
  cluster.images.set(image, { status: () => status });
  await expect(openNew({ image })).rejects.toMatchObject(unavailable(problem));
  expect(createdPods()).toEqual([]);
});

test("an unschedulable pod is given up after the timeout, with the reason, and deleted", async () => {
  cluster.images.set("big:1", { status: () => unplacedStatus("0/1 nodes are available: 1 Insufficient memory.") });
  const opening = openNew({ image: "big:1", readyTimeoutMs: 800 });
  await expect(opening).rejects.toMatchObject(unavailable(/not ready after 800 ms: .*Insufficient memory/));
  expect(createdPods()).toEqual([]);
});

test("an aborted start deletes the pod", async () => {
  cluster.images.set("never:1", { status: () => waitingStatus("main", "ContainerCreating") });
  const stop = new AbortController();
  const opening = openNew({ image: "never:1", signal: stop.signal });
  await expect.poll(createdPods).toHaveLength(1);
  stop.abort();
  await expect(opening).rejects.toThrow();
  expect(createdPods()).toEqual([]);
});

test("a missing pod, a stopped pod and a missing container are reported", async () => {
  await expect(openFound("gone")).rejects.toMatchObject(unavailable(/the pod does not exist; check its name/));
  await cluster.addPod("other");
  await expect(openFound("other", { container: "second" })).rejects.toMatchObject(
    unavailable(/container second .* not run/),
  );
  await expect(openFound("other", { namespace: "else" })).rejects.toMatchObject(
    unavailable(/the namespace does not exist/),
  );
});

test("a pod in which programs cannot be executed is reported [loop-4.3-2]", async () => {
  await cluster.addPod("denied", { faults: { refuseExec: 403 } });
  await expect(openFound("denied", { workingDirectory: "/workspace" })).rejects.toMatchObject(
    unavailable(/you may not do this in the namespace; ask for the rights/),
  );
});

test("an exhausted quota, an unknown token and a missing permission are reported", async () => {
  const refuse = (code: number, message: string) => {
    cluster.intercept = ({ url = "" }) => (url.includes("/pods") ? failure(code, message) : undefined);
  };
  refuse(403, 'pods "x" is forbidden: exceeded quota: small');
  await expect(openNew()).rejects.toMatchObject(unavailable(/quota is used up/));
  refuse(401, "Unauthorized");
  await expect(openNew()).rejects.toMatchObject(unavailable(/log in to it again/));
  refuse(403, "pods is forbidden");
  await expect(sweepKubernetesPods(reach())).rejects.toMatchObject(unavailable(/you may not do this/));
});

test("an unresponsive cluster and a missing context are reported", async () => {
  await expect(openFound("any", { context: "nowhere" })).rejects.toMatchObject(unavailable(/does not answer/));
  await expect(openFound("any", { context: "none of these" })).rejects.toMatchObject(unavailable(/check `kubeconfig`/));
  await expect(openFound("any", { kubeconfig: "/nowhere/config" })).rejects.toMatchObject(
    unavailable(/check `kubeconfig`/),
  );
});

test("a connection lost during a command is an error, and no process remains", async () => {
  let fault: ExecFault | undefined;
  const { processes } = await cluster.addPod("drop", { faults: { exec: () => fault } });
  const environment = await openFound("drop", { killGraceMs: 200 });
  onTestFinished(() => environment[Symbol.asyncDispose]());
  fault = "drop";
  await expect(environment.shell("echo begun; sleep 501")).rejects.toMatchObject({ code: "environment.unavailable" });
  fault = undefined;
  expect((await environment.exec(["echo", "again"])).stdout).toBe("again\n");
  await environment[Symbol.asyncDispose]();
  await expect.poll(() => listCommands(processes)).not.toContain("sleep 501");
});

test("a command whose status never arrives still returns its exit code", async () => {
  let fault: ExecFault | undefined;
  await cluster.addPod("nostatus", { faults: { exec: () => fault } });
  const environment = await openFound("nostatus");
  onTestFinished(() => environment[Symbol.asyncDispose]());
  fault = "no_status";
  expect(await environment.shell("echo out; exit 4")).toMatchObject({ stdout: "out\n", exitCode: 4 });
});

test("waits for a slow cluster", async () => {
  await cluster.addPod("slow", { faults: { slowMs: 700 } });
  const environment = await openFound("slow", { workingDirectory: "/workspace" });
  onTestFinished(() => environment[Symbol.asyncDispose]());
  expect((await environment.exec(["echo", "late"])).stdout).toBe("late\n");
});

test("a command receives all its input, and its output is complete", async () => {
  const environment = await openNew();
  onTestFinished(() => environment[Symbol.asyncDispose]());
  const text = "0123456789abcdef".repeat(20_000);
  const { stdout } = await environment.exec(["wc", "-c"], { stdin: text });
  expect(stdout.trim()).toBe(String(text.length));
  await environment.writeFile("big.txt", text);
  expect(await environment.readFile("big.txt")).toBe(text);
});

test("deletion of the pod during use is reported, and no call hangs", async () => {
  const environment = await openNew();
  const pod = cluster.pods.get(`default/${createdPods()[0]}`);
  await pod?.processes?.stop();
  await expect(environment.readFile("a.txt")).rejects.toMatchObject({ code: "environment.unavailable" });
  await environment[Symbol.asyncDispose]();
  expect(createdPods()).toEqual([]);
});
