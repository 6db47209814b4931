import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { openConfiguredEngine, runSession, secretsFromEnv } from "@switchyard/runner";
import { openSqliteStore } from "@switchyard/stores/sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { startLoopbackModel } from "./loopback-model.ts";
import { startMockModel } from "./mock-model.ts";
import { openEditor } from "./open-editor.ts";
import { openReceiver, type ReceivedRequest } from "./open-receiver.ts";
import { exposures, formsOf, leakyProgram, writeLeakyEngine } from "./secret-forms.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

// Assembled at run time, so that no file contains a credential.
const MODEL_KEY = ["q7Zk3v9Qp2", "Lm8sXy41Rt5Wd6Gh"].join("");
const TOKEN = ["hN4bV8cX1z", "PoK7jM2nB5vC9tYe"].join("");
/** Secret that the program does not know, but that is announced by the text before it. */
const ANNOUNCED = ["wE3rT6yU8i", "QpL1kJ4hG7fD0sAz"].join("");
const SECRETS = [MODEL_KEY, TOKEN];
const ENV = { ANTHROPIC_API_KEY: MODEL_KEY, ACME_DEPLOY_TOKEN: TOKEN };
const ENGINE_ENV = { SWITCHYARD_API_KEY: MODEL_KEY, ACME_DEPLOY_TOKEN: TOKEN };
const MASKED = "***REDACTED***";
const SAID = SECRETS.map(formsOf).join("\n");
/** Command without secrets in it: it prints secrets from a file. */
const SHELL = { command: "cat said.txt; cat said.txt >&2; base64 -w 20 keys.txt; xxd -p keys.txt || true" };

type Skip = (condition: boolean, note?: string) => void;

interface LeakyRun {
  readonly cwd: string;
  readonly state: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Files of a workspace whose commands print secrets. */
const FILES = { "said.txt": `${SAID}\n`, "keys.txt": `first ${MODEL_KEY}\nsecond ${TOKEN}\n` };

/** Runs the built-in agent with a model and tools that print both secrets in every form. */
async function agentRun(more: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<LeakyRun> {
  const echo = { command: `printf '%s' '{"auth":{"api_key":"${MODEL_KEY}"}}' ${TOKEN}` };
  const calls = [SHELL, echo].map((given) => ({ name: "shell", arguments: given }));
  const { baseUrl } = await startMockModel("anthropic", [...calls, SAID]);
  const [cwd, state] = [await makeFolder(FILES), await makeFolder()];
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, ...more, "Go."];
  const { exitCode, stdout, stderr } = await switchyard(words, { cwd, env: { ...ENV, ...env } });
  expect(exitCode, stderr).toBe(0);
  return { cwd, state, stdout, stderr };
}

/** Runs a custom engine that prints both secrets in every form. */
async function engineRun(more: readonly string[] = []): Promise<LeakyRun> {
  const [cwd, state] = [await makeFolder(), await makeFolder()];
  await writeLeakyEngine(cwd);
  const words = ["run", "--engine", "engine.yaml", "--state", state, ...more, "Go."];
  const { exitCode, stdout, stderr } = await switchyard(words, { cwd, env: ENGINE_ENV });
  expect(exitCode, stderr).toBe(0);
  return { cwd, state, stdout, stderr };
}

/** Files that are needed to resume a run. They contain the unredacted conversation. */
const UNMASKED = /\/checkpoints\/|\/request\.json$/u;

/** Returns the contents of all files in a folder, except those needed to resume a run. */
async function allBytes(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = paths.filter((path) => !UNMASKED.test(path));
  expect(files.length).toBeGreaterThan(0);
  return (await Promise.all(files.map((file) => readFile(file, "latin1")))).join("\n");
}

/** Runs a command for the only run of a state folder. */
async function aboutRun(words: readonly string[], { state, cwd }: LeakyRun): Promise<string> {
  const [id = ""] = await readdir(join(state, "runs"));
  const { exitCode, stdout, stderr } = await switchyard([...words, id, "--state", state], { cwd, env: ENV });
  expect(exitCode, stderr).toBe(0);
  return stdout + stderr;
}

function asText(requests: readonly ReceivedRequest[]): string {
  return requests.map(({ path, headers, body }) => `${path} ${JSON.stringify(headers)} ${body}`).join("\n");
}

interface Served {
  /** Sends a request and returns the response. */
  ask(path: string, body?: unknown): Promise<string>;
  /** Stops the server. Resolves with its output and stored files. */
  stop(): Promise<string>;
}

async function serve(more: readonly string[] = []): Promise<Served> {
  const cwd = await makeFolder();
  await writeFile(join(cwd, "webhook.key"), `whsec_${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o600 });
  await writeLeakyEngine(cwd);
  const words = ["serve", "--port", "0", "--state", "served", "--engine", "engine.yaml", ...more];
  const { command } = await startSwitchyard(words, { cwd, env: ENGINE_ENV });
  onTestFinished(async () => {
    command.kill("SIGKILL");
    await command;
  });
  const [printed] = await once(command.stdout, "data");
  const [url = ""] = /http:\/\/\S+/u.exec(String(printed)) ?? [];
  return {
    async ask(path, body) {
      const headers = { "content-type": "application/json" };
      const post = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
      const response = await fetch(`${url}${path}`, post);
      expect(response.ok, path).toBe(true);
      return `${JSON.stringify([...response.headers])}${await response.text()}`;
    },
    async stop() {
      command.kill("SIGTERM");
      const { stdout, stderr } = await command;
      return `${String(stdout)}${String(stderr)}${await allBytes(join(cwd, "served"))}`;
    },
  };
}

const INPUT = { messages: [{ role: "user", content: "Go." }] };

/** Creates a run on a server. Resolves with the path of the run once it has ended. */
async function servedRun(server: Served, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const created = await server.ask("/v1/runs", { input: INPUT, ...more });
  const [, id = ""] = /"run_id":"([^"]+)"/u.exec(created) ?? [];
  const path = `/v1/runs/${id}`;
  await expect.poll(() => server.ask(path)).toContain('"completed"');
  return path;
}

/** Creates a user with a runtime package that prints secrets, and a plan with one task. */
async function makeFanOut(): Promise<{ cwd: string; env: Record<string, string> }> {
  const home = await makeFolder();
  const runtime = join(home, ".config/switchyard/agent-runtimes/leaky");
  await mkdir(runtime, { recursive: true });
  const [manifest, program] = leakyProgram(ANNOUNCED);
  await writeFile(join(runtime, "leaky.json"), manifest);
  await writeFile(join(runtime, "execute-task.mjs"), program);
  const cwd = await makeFolder();
  const config = {
    items: [{ id: "one" }],
    task_request_template: { executor: { backend: "leaky" }, instructions: "Go.", workspace: { root: cwd } },
  };
  const env = { ...ENV, HOME: home };
  const planned = await switchyard(["fanout", "plan", "-"], { env, input: JSON.stringify(config) });
  expect(planned.exitCode, planned.stderr).toBe(0);
  await writeFile(join(cwd, "plan.json"), planned.stdout);
  return { cwd, env };
}

async function startBroker(skip: Skip): Promise<{ url: string; folder: string }> {
  skip(natsServerProblem() !== undefined, natsServerProblem());
  const folder = await makeFolder();
  const server = await startNatsServer({
    hasStreams: false,
    settings: `jetstream { store_dir: ${JSON.stringify(folder)} }`,
  });
  onTestFinished(() => server.stop());
  return { url: server.url, folder };
}

/** Every output through which text of a model, tool, engine or runtime can leave the process. */
const SINKS: readonly (readonly [name: string, read: (skip: Skip) => Promise<string>])[] = [
  ["the terminal output of an agent's run", async () => (await agentRun()).stdout],
  ["the terminal output of an engine's run", async () => (await engineRun()).stdout],
  ["standard error", async () => `${(await agentRun(["--debug"])).stderr}${MASKED}`],
  ["the report of --json", async () => (await agentRun(["--json"])).stdout],
  ["the report of an engine", async () => (await engineRun(["--json"])).stdout],
  ["the events of --events jsonl", async () => (await agentRun(["--events", "jsonl"])).stdout],
  ["the events of an engine", async () => (await engineRun(["--events", "jsonl"])).stdout],
  [
    "the result file",
    async () => readFile(join((await agentRun(["--output", "result.json"])).cwd, "result.json"), "utf8"),
  ],
  ["the run folder, with its log, checkpoints, report and recording", async () => allBytes((await agentRun()).state)],
  ["the run folder of an engine, with its artifacts", async () => allBytes((await engineRun()).state)],
  ["the raw output that is kept", async () => allBytes((await engineRun(["--keep-raw-output"])).state)],
  ["runs show", async () => aboutRun(["runs", "show", "--json"], await agentRun())],
  ["runs events", async () => aboutRun(["runs", "events"], await agentRun())],
  ["an exported run", async () => aboutRun(["runs", "export"], await agentRun())],
  [
    "a replay",
    async () => {
      const run = await agentRun();
      const [id = ""] = await readdir(join(run.state, "runs"));
      // The replay reports the difference with a quotation.
      await writeFile(join(run.cwd, "said.txt"), `Another file.\n${SAID}\n`);
      const words = ["replay", id, "--json", "--workspace", run.cwd, "--state", run.state];
      const { exitCode, stdout, stderr } = await switchyard(words, { cwd: run.cwd, env: ENV });
      expect(exitCode).toBe(1);
      return stdout + stderr;
    },
  ],
  [
    "a run that a broker stores",
    async (skip) => {
      const { url } = await startBroker(skip);
      const store = ["--store", `${url}/team`];
      const { stdout, stderr } = await agentRun(store);
      const listed = await switchyard(["runs", "list", "--json", ...store], { env: ENV });
      const [{ run_id: id }] = JSON.parse(listed.stdout);
      const exported = await switchyard(["runs", "export", id, ...store], { env: ENV });
      expect(exported.exitCode, exported.stderr).toBe(0);
      return `${stdout}${stderr}${listed.stdout}${exported.stdout}`;
    },
  ],
  [
    "a SQLite database",
    async () => {
      const cwd = await makeFolder();
      const document: unknown = parse(await writeLeakyEngine(cwd));
      const { engine } = await openConfiguredEngine(document, { env: ENGINE_ENV });
      const folder = await makeFolder();
      const store = await openSqliteStore({ path: join(folder, "runs.db") });
      const input = { messages: [{ role: "user" as const, content: "Go." }], workspace: cwd };
      const report = await runSession(input, {
        engine,
        store,
        secrets: secretsFromEnv(ENGINE_ENV),
        environment: { type: "local" as const, root: cwd, env: {} },
      });
      await store.close();
      return JSON.stringify(report) + (await allBytes(folder));
    },
  ],
  [
    "telemetry",
    async () => {
      const { url, requests } = await openReceiver();
      await agentRun([], { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: `x-team=${TOKEN}` });
      expect(requests.length).toBeGreaterThan(0);
      // The collector's header contains the token intentionally.
      return `${asText(requests).replaceAll(`"x-team":"${TOKEN}"`, "")}${MASKED}`;
    },
  ],
  [
    "an error message of a model provider",
    async () => {
      const { baseUrl } = await startLoopbackModel((response, request) => {
        response.writeHead(400, { "content-type": "application/json", "x-request-id": TOKEN });
        const message = `refused ${request.headers["x-api-key"]}\n${SAID}`;
        response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }));
      });
      const [cwd, state] = [await makeFolder(), await makeFolder()];
      const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "--debug", "--json"];
      const { exitCode, stdout, stderr } = await switchyard([...words, "Go."], { cwd, env: ENV });
      expect(exitCode).not.toBe(0);
      return `${stdout}${stderr}${await allBytes(state)}`;
    },
  ],
  ["a server's answer to a run", async () => (await serve()).ask("/v1/run", INPUT)],
  [
    "a server's run, its events and its artifacts",
    async () => {
      const server = await serve();
      const path = await servedRun(server);
      const paths = [path, `${path}/events`, `${path}/artifacts`, "/v1/runs"];
      return (await Promise.all(paths.map((one) => server.ask(one)))).join("\n");
    },
  ],
  [
    "a webhook of a server, and what the server stores of it",
    async () => {
      const { url, requests } = await openReceiver();
      const server = await serve(["--webhook-secret", "webhook.key", "--webhook-private"]);
      await servedRun(server, { webhook_url: `${url}/ended` });
      await expect.poll(() => requests.length).toBe(1);
      expect(requests[0]?.body).toContain('"run.ended"');
      return `${asText(requests)}${await server.stop()}`;
    },
  ],
  [
    "the dashboard: its files and what it asks for",
    async () => {
      const server = await serve();
      const path = await servedRun(server);
      const page = await server.ask("/");
      const files = [...page.matchAll(/(?:src|href)="(?<file>\/[^"]+)"/gu)].map(({ groups }) => groups?.["file"] ?? "");
      expect(files.length).toBeGreaterThan(0);
      const asked = [...files, "/v1/runs", path, `${path}/events`, `${path}/artifacts`];
      return page + (await Promise.all(asked.map((one) => server.ask(one)))).join("\n");
    },
  ],
  [
    "a server's log, state folder and metrics",
    async () => {
      const server = await serve();
      await servedRun(server);
      return (await server.ask("/metrics")) + (await server.stop());
    },
  ],
  [
    "a fan-out's output, progress and file",
    async () => {
      const { cwd, env } = await makeFanOut();
      const ended = await switchyard(["fanout", "run", "plan.json", "--out", "run.json"], { cwd, env });
      expect(ended.exitCode, ended.stderr).toBe(0);
      return `${ended.stdout}${ended.stderr}${await readFile(join(cwd, "run.json"), "utf8")}`;
    },
  ],
  [
    "the records of a fan-out's queue, and what its worker says",
    async (skip) => {
      const { url, folder } = await startBroker(skip);
      const { cwd, env } = await makeFanOut();
      const { command: worker } = await startSwitchyard(["worker", "--queue", `${url}/night`], { cwd, env });
      const ended = await switchyard(["fanout", "run", "plan.json", "--queue", `${url}/night`], { cwd, env });
      expect(ended.exitCode, ended.stderr).toBe(0);
      worker.kill("SIGTERM");
      const { stdout, stderr } = await worker;
      return `${ended.stdout}${ended.stderr}${String(stdout)}${String(stderr)}${await allBytes(folder)}`;
    },
  ],
  [
    "the run of a runtime package",
    async () => {
      const { cwd, env } = await makeFanOut();
      const words = ["run", "--engine", "runtime:leaky", "--events", "jsonl", "--state", "state", "Go."];
      const { stdout, stderr } = await switchyard(words, { cwd, env });
      return `${stdout}${stderr}${await allBytes(join(cwd, "state"))}`;
    },
  ],
  [
    "the outcome of runtimes exec, and its progress",
    async () => {
      const cwd = await makeFolder();
      await writeLeakyEngine(cwd);
      const request = { schema: "homeboy/agent-task-request/v1", task_id: "t", instructions: "Go." };
      const input = JSON.stringify({ ...request, executor: { backend: "switchyard" }, workspace: { root: cwd } });
      const words = ["runtimes", "exec", "./engine.yaml", "--state", await makeFolder()];
      const { stdout, stderr } = await switchyard(words, { cwd, env: ENGINE_ENV, input });
      expect(stdout).toContain('"succeeded"');
      return stdout + stderr;
    },
  ],
  [
    "the results of an evaluation",
    async () => {
      const suite = "cases: [{ id: one, prompt: Go., assert: [{ contains: nothing-of-it }] }]\n";
      const cwd = await makeFolder({ "eval.yaml": suite });
      await writeLeakyEngine(cwd);
      const words = ["eval", "eval.yaml", "--engine", "engine.yaml", "--output", "out"];
      const { exitCode, stdout, stderr } = await switchyard(words, { cwd, env: ENGINE_ENV });
      expect(exitCode, stderr).toBe(1);
      return `${stdout}${stderr}${await allBytes(join(cwd, "out"))}`;
    },
  ],
  [
    "updates to an editor",
    async () => {
      const { baseUrl } = await startMockModel("anthropic", [{ name: "shell", arguments: SHELL }, SAID]);
      const words = ["--model", "anthropic/m", "--base-url", baseUrl, "--mode", "auto"];
      const editor = await openEditor(words, { env: ENV, cwd: await makeFolder(FILES) });
      const { sessionId } = await editor.open();
      await editor.say(sessionId, "Go.");
      return JSON.stringify([editor.updates, editor.text()]);
    },
  ],
];

describe("no secret reaches", () => {
  test.for(SINKS)("%s", async ([, read], { skip }) => {
    const text = await read(skip);
    expect(text).toContain(MASKED);
    expect(exposures(text, [...SECRETS, ANNOUNCED])).toEqual([]);
  });
});

test("a secret in any of the forms is found by these tests", () => {
  for (const secret of SECRETS) {
    const forms = formsOf(secret).split("\n\n");
    expect(forms.length).toBeGreaterThan(5);
    for (const form of forms) expect(exposures(`before ${form} after`, SECRETS)).toEqual([expect.any(String)]);
  }
  expect(exposures("nothing of it ***REDACTED***", SECRETS)).toEqual([]);
});
