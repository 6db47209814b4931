import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fillWithBusybox, hasProgram, type Missing, runProgram } from "@switchyard/container-engines";
import { WebSocketServer } from "ws";
import type { ApiResponse } from "./api-answers.ts";
import { answerDiscovery, failure, readBody, renderList } from "./api-answers.ts";
import type { ExecFault } from "./fake-exec.ts";
import { carryExec } from "./fake-exec.ts";
import type { FakeContainerSpec } from "./fake-pod.ts";
import { startFakeProcesses } from "./fake-pod.ts";
import type { PodRecord, PodStatus } from "./pod-record.ts";
import { renderPod, runningStatus } from "./pod-record.ts";

/** Faults of requests about a pod. */
interface PodFaults {
  /** Refuses to run programs with this status of HTTP. */
  readonly refuseExec?: number;
  /** Fault of a program's streams. Called for each program. */
  readonly exec?: () => ExecFault | undefined;
  /** Milliseconds that a program is started late. */
  readonly slowMs?: number;
}

/** A pod that another client created. */
interface AddedPod extends Partial<Pick<FakeContainerSpec, "workingDir" | "env" | "share">> {
  readonly faults?: PodFaults;
}

/** A server that speaks the part of the Kubernetes API that pods need, with real processes for pods. */
export interface FakeCluster {
  /** Path of a kubeconfig with the contexts `fake` and `nowhere`. */
  readonly kubeconfig: string;
  /** Separate folder that can serve as HOME. */
  readonly folder: string;
  readonly pods: ReadonlyMap<string, PodRecord>;
  /** `METHOD path` of each request. */
  readonly requests: readonly string[];
  /** Adds a pod that runs. */
  addPod(name: string, options?: AddedPod): Promise<PodRecord>;
  /** Behaviour of pods created from an image. Pods of other images run immediately. */
  readonly images: Map<string, { readonly status?: () => PodStatus; readonly faults?: PodFaults }>;
  /** Responds instead of the server, for requests that are rejected. */
  intercept: ((request: IncomingMessage) => ApiResponse | undefined) | undefined;
  stop(): Promise<void>;
}

/** Earlier versions of kubectl use SPDY by default. */
const WEBSOCKET_MINOR = 31;
const POD_PATH = /^\/api\/v1\/namespaces\/([^/]+)\/pods(?:\/([^/]+))?(?:\/(exec))?$/;

/** Starts a server with its pods on a free port of this machine. */
export async function startFakeCluster(): Promise<FakeCluster | Missing> {
  for (const program of ["kubectl", "unshare", "nsenter"]) {
    if (!(await hasProgram(program))) return { missing: `${program} is not installed` };
  }
  if (process.getuid?.() !== 0) return { missing: "pods with their own process ids need root" };
  const minor = await minorVersion();
  if (minor < WEBSOCKET_MINOR)
    return { missing: `kubectl 1.${minor} does not support WebSocket; use kubectl 1.${WEBSOCKET_MINOR} or newer` };
  const folder = mkdtempSync(join(tmpdir(), "sy-cluster-"));
  const shared = join(folder, "shared");
  mkdirSync(shared);
  const missing = await fillWithBusybox(shared);
  if (missing === undefined) return new ClusterServer(folder, shared).start();
  rmSync(folder, { recursive: true });
  return { missing };
}

/** Version of kubectl, without vendor suffix. */
async function minorVersion(): Promise<number> {
  const { stdout } = await runProgram(["kubectl", "version", "--client", "--output", "json"]);
  return Number(/"minor": "(\d+)/.exec(stdout)?.[1] ?? 0);
}

class ClusterServer implements FakeCluster {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly pods: Map<string, PodRecord> = new Map();
  readonly requests: string[] = [];
  readonly images: FakeCluster["images"] = new Map();
  intercept: FakeCluster["intercept"];
  readonly #shared: string;
  readonly #faults = new Map<string, PodFaults>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has("v5.channel.k8s.io") ? "v5.channel.k8s.io" : false),
  });
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  constructor(folder: string, shared: string) {
    this.folder = folder;
    this.kubeconfig = join(folder, "kubeconfig");
    this.#shared = shared;
  }

  async start(): Promise<this> {
    this.#server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.#upgrade(request, socket, head);
    });
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const cluster = (name: string, at: number | undefined) => ({ name, cluster: { server: `http://127.0.0.1:${at}` } });
    const context = (name: string) => ({ name, context: { cluster: name, user: "tester" } });
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [cluster("fake", port), cluster("nowhere", 1)],
      contexts: [context("fake"), context("nowhere")],
      users: [{ name: "tester", user: {} }],
      "current-context": "fake",
    };
    writeFileSync(this.kubeconfig, JSON.stringify(config));
    return this;
  }

  async addPod(name: string, options: AddedPod = {}): Promise<PodRecord> {
    const container = { name: "main", image: "test", command: ["sh", "-c", "while :; do sleep 60; done"] };
    const { workingDir = "/workspace", env = {}, share, faults } = options;
    const variables = Object.entries(env).map(([key, value]) => ({ name: key, value }));
    const mount = share === undefined ? {} : { volumeMounts: [{ name: "share", mountPath: share }] };
    const volume = share === undefined ? {} : { volumes: [{ name: "share", hostPath: { path: share } }] };
    const spec = { containers: [{ ...container, workingDir, env: variables, ...mount }], ...volume };
    if (faults !== undefined) this.#faults.set(name, faults);
    return this.#make({ namespace: "default", name, metadata: {}, spec, status: () => runningStatus("main") });
  }

  async stop(): Promise<void> {
    for (const pod of this.pods.values()) await pod.processes?.stop();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #make(pod: Omit<PodRecord, "processes">): Promise<PodRecord> {
    const record: PodRecord = { ...pod, processes: undefined };
    this.pods.set(`${pod.namespace}/${pod.name}`, record);
    return this.#startWhenRunning(record);
  }

  /** A pod that becomes ready over time gets its processes when it is. */
  async #startWhenRunning(record: PodRecord): Promise<PodRecord> {
    if (record.processes !== undefined || record.status().phase !== "Running") return record;
    const { containers, volumes } = JSON.parse(JSON.stringify(record.spec));
    const [{ command, workingDir = "/", env: variables = [] }] = containers;
    const env = Object.fromEntries(variables.map(({ name, value }: { name: string; value: string }) => [name, value]));
    const root = join(this.folder, "pods", record.name);
    const share = volumes?.[0]?.hostPath?.path;
    record.processes = await startFakeProcesses(root, this.#shared, { command, workingDir, env, share });
    return record;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://cluster");
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    const { code, body } =
      this.intercept?.(request) ?? answerDiscovery(url) ?? (await this.#answerPods(request, url)) ?? failure(404);
    response.writeHead(code, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  }

  async #answerPods(request: IncomingMessage, url: URL): Promise<ApiResponse | undefined> {
    const [, namespace, name, sub] = POD_PATH.exec(url.pathname) ?? [];
    // When a pod is not found, kubectl asks whether its namespace is there.
    const [, requested] = /^\/api\/v1\/namespaces\/([^/]+)$/.exec(url.pathname) ?? [];
    if (requested === "default")
      return { code: 200, body: { apiVersion: "v1", kind: "Namespace", metadata: { name: requested } } };
    if (requested !== undefined) return failure(404, `namespaces "${requested}" not found`);
    if (namespace === undefined) return undefined;
    if (namespace !== "default") return failure(404, `namespaces "${namespace}" not found`);
    if (name === undefined) return request.method === "POST" ? this.#create(request, namespace) : this.#list(url);
    const pod = this.pods.get(`${namespace}/${name}`);
    if (pod === undefined) return failure(404, `pods "${name}" not found`);
    if (sub === "exec") return failure(this.#faults.get(name)?.refuseExec ?? 400, `pods "${name}" is refused`);
    if (request.method !== "DELETE") return { code: 200, body: renderPod(await this.#startWhenRunning(pod)) };
    this.pods.delete(`${namespace}/${name}`);
    await pod.processes?.stop();
    return { code: 200, body: renderPod(pod) };
  }

  #list(url: URL): ApiResponse {
    const label = url.searchParams.get("labelSelector");
    const wanted = [...this.pods.values()].filter(({ metadata }) => {
      const labels = metadata["labels"];
      return label === null || (typeof labels === "object" && labels !== null && label in labels);
    });
    return { code: 200, body: renderList(wanted.map(renderPod)) };
  }

  async #create(request: IncomingMessage, namespace: string): Promise<ApiResponse> {
    const { metadata, spec } = JSON.parse(await readBody(request));
    const { name } = metadata;
    const { status, faults } = this.images.get(spec.containers[0].image) ?? {};
    if (faults !== undefined) this.#faults.set(name, faults);
    const podStatus = status ?? (() => runningStatus(spec.containers[0].name));
    const pod = await this.#make({ namespace, name, metadata, spec, status: podStatus });
    return { code: 201, body: renderPod(pod) };
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? "/", "http://cluster");
    this.requests.push(`EXEC ${url.pathname}`);
    const [, namespace, name = "", sub] = POD_PATH.exec(url.pathname) ?? [];
    const pod = this.pods.get(`${namespace}/${name}`);
    const faults = this.#faults.get(name);
    const processes = pod?.processes;
    if (sub !== "exec" || processes === undefined) return refuse(socket, failure(404, `pods "${name}" not found`));
    if (faults?.refuseExec !== undefined) {
      return refuse(
        socket,
        failure(faults.refuseExec, `pods "${name}" is refused: cannot create resource "pods/exec"`),
      );
    }
    await delay(faults?.slowMs ?? 0);
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      const child = processes.exec(url.searchParams.getAll("command"), url.searchParams.has("stdin"));
      carryExec(client, child, faults?.exec?.());
    });
  }
}

function refuse(socket: Duplex, { code, body }: ApiResponse): void {
  const text = JSON.stringify(body);
  const head = [`HTTP/1.1 ${code} Refused`, "Content-Type: application/json", `Content-Length: ${text.length}`];
  socket.end(`${head.join("\r\n")}\r\nConnection: close\r\n\r\n${text}`);
}
