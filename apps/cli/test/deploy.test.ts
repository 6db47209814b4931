import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { startMockModel } from "./mock-model.ts";
import { BIN, makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const run = promisify(execFile);
const TSC = resolve(import.meta.dirname, "../../../node_modules/.bin/tsc");
const DEPLOY = resolve(import.meta.dirname, "../../../examples/deploy");
const OWN = resolve(import.meta.dirname, "../../../packages/runtimes/agent-runtimes");
const SERVER = "kubernetes/server.yaml";
const QUEUE = "kubernetes/queue";
const JOB = "kubernetes/jobs/job.yaml";
const MANIFESTS = [
  SERVER,
  "kubernetes/worker.yaml",
  "broker/nats.yaml",
  `${QUEUE}/server.yaml`,
  `${QUEUE}/worker.yaml`,
  JOB,
];
const TOKEN = "the-token-of-nobody-0123456789";
const BROKER_TOKEN = "the-broker-token-of-nobody";
const KEY = "test-key-that-is-not-real";

/** Properties of a container in the deployment files. */
interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: string[];
  readonly args?: string[];
  readonly [probe: string]: unknown;
}

interface Workload {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: Container[];
        readonly securityContext: { readonly runAsUser: number };
        readonly volumes: { readonly name: string; readonly configMap?: { readonly name: string } }[];
      };
    };
  };
}

interface Service {
  readonly command: string[];
  readonly healthcheck?: { readonly test: string[] };
  readonly [setting: string]: unknown;
}

async function readText(name: string): Promise<string> {
  return readFile(join(DEPLOY, name), "utf8");
}

async function readCompose(): Promise<Record<string, Service>> {
  const document: { services: Record<string, Service> } = parse(await readText("compose.yaml"), { merge: true });
  return document.services;
}

/** Kinds of objects that start containers. */
const WORKLOADS = ["StatefulSet", "Deployment", "Job"];

async function readWorkload(path: string): Promise<Workload["spec"]["template"]["spec"]> {
  const documents = parseAllDocuments(await readText(path)).map((one) => one.toJS());
  const found = documents.find((one: { kind: string }) => WORKLOADS.includes(one.kind));
  const { spec }: Workload = found;
  return spec.template.spec;
}

/** Returns the arguments of a container, with paths of the container replaced by paths of this machine. */
function here(words: readonly string[], places: Readonly<Record<string, string>>): string[] {
  return words.map((word) => {
    let moved = word;
    for (const [there, place] of Object.entries(places)) moved = moved.replace(there, place);
    return moved;
  });
}

test("Compose and Kubernetes start the same commands, as the image's own user", async () => {
  const compose = await readCompose();
  const [server, worker] = [await readWorkload(SERVER), await readWorkload("kubernetes/worker.yaml")];
  const words = (spec: typeof server) => spec.containers[0]?.args?.filter((word) => !word.startsWith("--allow-host"));
  expect(words(server)).toEqual(compose["server"]?.command);
  expect(words(worker)).toEqual(compose["worker"]?.command);
  const image = await readText("Dockerfile");
  const others = await Promise.all(MANIFESTS.map(readWorkload));
  for (const spec of [server, worker, ...others]) {
    expect(image).toContain(`USER ${spec.securityContext.runAsUser}:`);
    for (const container of spec.containers) {
      expect(container["securityContext"]).toMatchObject({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        capabilities: { drop: ["ALL"] },
      });
    }
  }
  expect(image).toContain("EXPOSE 8787");
  expect(compose["server"]?.command).toContain("--port=8787");
  const runtime = await readText("agent-runtimes/switchyard/switchyard.json");
  expect(runtime).toBe(await readFile(join(OWN, "switchyard/switchyard.json"), "utf8"));
});

test("the manifests have the fields of the Kubernetes API", async () => {
  const lines: string[] = [];
  for (const [index, path] of MANIFESTS.entries()) {
    for (const [place, document] of parseAllDocuments(await readText(path)).entries()) {
      const { apiVersion, kind }: Workload = document.toJS();
      const version = apiVersion === "v1" ? "core/v1" : apiVersion;
      const type = `import("kubernetes-types/${version}").${kind}`;
      lines.push(`export const document${index}_${place}: ${type} = ${JSON.stringify(document.toJS())};`);
    }
  }
  const check = async (text: string) => {
    // The folder is below the package, so that the compiler finds the types.
    const folder = await mkdtemp(join(import.meta.dirname, ".manifests-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "manifests.ts"), text);
    const options = [
      "--noEmit",
      "--strict",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
      "--ignoreConfig",
      "--types",
      "",
    ];
    return await run(TSC, [...options, "manifests.ts"], { cwd: folder }).then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
  };
  const text = lines.join("\n");
  expect(await check(text)).toBe("");
  expect(await check(text.replace("terminationGracePeriodSeconds", "terminationGraceSeconds"))).toContain(
    "terminationGraceSeconds",
  );
});

test("kubectl puts the manifests together", async ({ skip }) => {
  const rendered = await run("kubectl", ["kustomize", DEPLOY]).catch((error: NodeJS.ErrnoException) => error);
  skip("code" in rendered && rendered.code === "ENOENT", "kubectl is not installed");
  if (!("stdout" in rendered)) throw rendered;
  const documents: { kind: string; metadata: { name: string } }[] = parseAllDocuments(rendered.stdout).map((one) =>
    one.toJS(),
  );
  expect(documents.map(({ kind }) => kind).sort()).toEqual(
    ["ConfigMap", "ConfigMap", "Deployment", "Service", "Service", "StatefulSet", "StatefulSet"].sort(),
  );
  const queue = await run("kubectl", ["kustomize", join(DEPLOY, QUEUE)]);
  expect(parseAllDocuments(queue.stdout).map((one) => one.get("kind"))).toHaveLength(6);
  // Generated config maps are mounted by their generated names.
  const maps = documents.flatMap(({ kind, metadata }) => (kind === "ConfigMap" ? [metadata.name] : []));
  for (const name of maps) expect(rendered.stdout.split(`name: ${name}\n`).length).toBeGreaterThan(2);
});

test("the broker reads its settings", async ({ skip }) => {
  skip(natsServerProblem() !== undefined, natsServerProblem());
  // Debian 12 packages a NATS server without per-message sync, so the setting is removed. The broker's tests cover it
  // with a newer server.
  const text = (await readText("broker/nats.conf")).replace(/^ *sync_interval.*$/mu, "");
  const folder = await makeFolder({ "nats.conf": text });
  const env = { PATH: `${process.env["PATH"]}${delimiter}/usr/sbin`, NATS_TOKEN: BROKER_TOKEN };
  const { stderr } = await run("nats-server", ["-t", "-c", join(folder, "nats.conf")], { env });
  expect(stderr).toContain("is valid");
});

test("the server and the worker of the files work together with their broker", async ({ skip }) => {
  skip(natsServerProblem() !== undefined, natsServerProblem());
  const broker = await startNatsServer({ settings: `authorization { token: ${JSON.stringify(BROKER_TOKEN)} }` });
  onTestFinished(() => broker.stop());
  const { baseUrl } = await startMockModel("anthropic", ["Hello.", "Worked."]);
  const home = await makeFolder({ "tokens.txt": `${TOKEN} owner=me roles=runner,approver\n` });
  await chmod(join(home, "tokens.txt"), 0o600);
  const bin = await makeFolder({
    switchyard: `#!/bin/sh\ncase "$1" in runtimes) set -- "$@" --base-url ${baseUrl};; esac\nexec ${process.execPath} ${BIN} "$@"\n`,
  });
  await chmod(join(bin, "switchyard"), 0o755);
  const env = {
    ...{ HOME: home, NATS_TOKEN: BROKER_TOKEN, ANTHROPIC_API_KEY: KEY, SWITCHYARD_MODEL: "anthropic/test-model" },
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
  };
  const compose = await readCompose();
  const places = {
    ...{ "0.0.0.0": "127.0.0.1", "nats://nats:4222": broker.url, "--port=8787": "--port=0" },
    ...{ "/run/switchyard": home, "/var/lib/switchyard": join(home, "state") },
  };

  const words = here(compose["server"]?.command ?? [], places);
  const server = await startSwitchyard([...words, "--base-url", baseUrl], { env });
  onTestFinished(async () => {
    server.command.kill("SIGKILL");
    await server.command;
  });
  const [printed] = await once(server.command.stdout, "data");
  const [url = ""] = /http:\/\/\S+/u.exec(String(printed)) ?? [];
  const [, program = "", ...check] = here(compose["server"]?.healthcheck?.test ?? [], { "http://127.0.0.1:8787": url });
  await run(program, check);
  const [container] = (await readWorkload(SERVER)).containers;
  for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
    const { httpGet }: { httpGet?: { path: string } } = Object(container?.[probe]);
    // The cluster sends probes to the IP address of the pod.
    expect((await fetch(`${url}${httpGet?.path}`)).status, probe).toBe(200);
  }
  const answered = await fetch(`${url}/v1/run`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ messages: [{ role: "user", content: "Say hello." }] }),
  });
  expect(await answered.json()).toMatchObject({ exit_code: 0, final_message: "Hello." });

  await mkdir(join(home, ".config/switchyard"), { recursive: true });
  await cp(join(DEPLOY, "agent-runtimes"), join(home, ".config/switchyard/agent-runtimes"), { recursive: true });
  const worker = await startSwitchyard(here(compose["worker"]?.command ?? [], places), { env });
  onTestFinished(async () => {
    worker.command.kill("SIGKILL");
    await worker.command;
  });
  const folder = await makeFolder();
  const config = {
    orchestrator: { run_id: "deployed" },
    items: [{ id: "t1" }],
    task_request_template: {
      ...{ executor: { backend: "switchyard", model: "anthropic/test-model" }, instructions: "Work." },
      workspace: { root: folder },
    },
  };
  const planned = await switchyard(["fanout", "plan", "-"], { env, input: JSON.stringify(config) });
  await writeFile(join(folder, "plan.json"), planned.stdout);
  const queue = compose["worker"]?.command.find((word) => word.startsWith("--queue=")) ?? "";
  const fanout = await switchyard(["fanout", "run", "plan.json", ...here([queue], places)], { cwd: folder, env });
  expect(fanout.exitCode, fanout.stderr + fanout.stdout).toBe(0);
  expect(JSON.parse(fanout.stdout)).toMatchObject({ status: "completed" });
  expect(fanout.stdout).toContain("Worked.");
  server.command.kill("SIGTERM");
  expect((await server.command).exitCode).toBe(0);
});

/** Returns the arguments of the first container of a manifest, with the values of its environment variables. */
async function argumentsOf(path: string, variables: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const [container] = (await readWorkload(path)).containers;
  const places = Object.entries(variables).map(([name, value]): [string, string] => [`$(${name})`, value]);
  return here(container?.args ?? [], Object.fromEntries(places));
}

test("servers, workers and the worker of a Job execute runs as their manifests say", async ({ skip }) => {
  skip(natsServerProblem() !== undefined, natsServerProblem());
  const broker = await startNatsServer({ settings: `authorization { token: ${JSON.stringify(BROKER_TOKEN)} }` });
  onTestFinished(() => broker.stop());
  const { baseUrl } = await startMockModel("anthropic", ["First.", "Second."]);
  const home = await makeFolder({ "tokens.txt": `${TOKEN} owner=me roles=runner,approver\n` });
  await chmod(join(home, "tokens.txt"), 0o600);
  const env = {
    ...{ HOME: home, NATS_TOKEN: BROKER_TOKEN, ANTHROPIC_API_KEY: KEY, SWITCHYARD_MODEL: "anthropic/test-model" },
    PATH: `${process.env["PATH"]}`,
  };
  const places = {
    ...{ "0.0.0.0": "127.0.0.1", "nats://nats:4222": broker.url, "--port=8787": "--port=0" },
    ...{ "/run/switchyard": home, "/var/lib/switchyard": join(home, "state") },
  };
  const start = async (words: readonly string[]) => {
    const { command } = await startSwitchyard(here(words, places), { env });
    onTestFinished(async () => {
      command.kill("SIGKILL");
      await command;
    });
    // An object, because the command itself is a promise that resolves when the command has ended.
    return { command };
  };
  const { command: server } = await start(await argumentsOf(`${QUEUE}/server.yaml`));
  const [url = ""] = /http:\/\/\S+/u.exec(String(await once(server.stdout, "data"))) ?? [];
  const call = async (path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${TOKEN}` };
    const request = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    return Object(await (await fetch(`${url}${path}`, request)).json());
  };
  const asked = JSON.parse(await readText("kubernetes/jobs/run.json"));
  const { run_id: unlabelled } = await call("/v1/runs", { input: asked.input });
  const { run_id: labelled } = await call("/v1/runs", asked);
  const model = ["--base-url", baseUrl];
  // Kubernetes names the Job's pods and labels them with the name of the Job.
  const names = { JOB_NAME: asked.labels.job, POD_NAME: "fix-the-test-x7k2p" };
  const { command: job } = await start([...(await argumentsOf(JOB, names)), ...model]);
  expect((await job).exitCode).toBe(0);
  expect(await call(`/v1/runs/${labelled}`)).toMatchObject({ status: "completed", worker: names.POD_NAME });
  expect(await call(`/v1/runs/${unlabelled}`)).toMatchObject({ status: "queued" });

  const { command: worker } = await start([
    ...(await argumentsOf(`${QUEUE}/worker.yaml`, { POD_NAME: "worker-1" })),
    ...model,
  ]);
  await expect.poll(() => call(`/v1/runs/${unlabelled}`)).toMatchObject({ status: "completed", worker: "worker-1" });
  for (const command of [worker, server]) {
    command.kill("SIGTERM");
    expect((await command).exitCode).toBe(0);
  }
});
