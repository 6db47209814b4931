import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { isProcessRunning, makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const FIXTURES = resolve(import.meta.dirname, "../../../fixtures/engines");
const TOKEN = "the-token-of-nobody-0123456789";
const KEY = "sk-the-key-of-nobody-0123456789";

/** Returns the engine configuration of a command that is started as `node SCRIPT INPUT OUTPUT`. */
function commandConfig(script: string, more = ""): string {
  return `engine:
  name: served
  custom:
    transport: local
${more}    local:
      command: ${process.execPath}
      args: [${script}, "\${input_file}", "\${output_file}"]
      output_file: \${output_file}
`;
}

/** Returns the engine configuration of an HTTP service. */
function serviceConfig(url: string, more = ""): string {
  return `engine:\n  name: served\n  custom:\n    transport: http\n    http:\n      url: ${url}/v1/run\n${more}`;
}

/** Starts the built command and waits until it listens. */
async function serve(words: readonly string[], options: { cwd: string; env?: Record<string, string> }) {
  const { command } = await startSwitchyard(["serve", "--port", "0", "--state", "served", ...words], options);
  onTestFinished(async () => {
    command.kill("SIGKILL");
    await command;
  });
  const [printed] = await once(command.stdout, "data");
  const [url = ""] = /http:\/\/\S+/u.exec(String(printed)) ?? [];
  return { command, url };
}

async function ask(url: string, content = "hello"): Promise<Response> {
  const body = JSON.stringify({ messages: [{ role: "user", content }] });
  return fetch(`${url}/v1/run`, { method: "POST", body, headers: { "content-type": "application/json" } });
}

/** Returns the log lines of a server. */
function linesOf(stderr: unknown): Record<string, unknown>[] {
  return String(stderr)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

async function resultOf(cwd: string, engine: string): Promise<Record<string, unknown>> {
  const words = ["run", "--engine", engine, "--workspace", "project", "--state", "state", "--json", "Count the files."];
  const run = await switchyard(words, { cwd });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  const { result, artifacts } = JSON.parse(run.stdout);
  return {
    ...result,
    duration_ms: 0,
    artifacts: artifacts.map(({ name, bytes }: { name: string; bytes: number }) => ({ name, bytes })),
  };
}

test("an engine that is served is the same engine, with its files, for who runs it over http", async () => {
  const script = `const fs = require("node:fs");
    const input = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
    const files = fs.readdirSync(".", { recursive: true }).filter((path) => /[.]txt$/.test(path)).sort();
    fs.writeFileSync("report.md", files.map((path) => path + fs.readFileSync(path, "utf8")).join());
    fs.writeFileSync(process.argv[3], JSON.stringify({ exit_code: 0, final_message: files.join() + input.messages[0].content,
      turns: 2, input_tokens: 10, output_tokens: 5, artifacts: { generated_files: ["report.md"] } }));`;
  const cwd = await makeFolder({ "agent.cjs": script });
  await writeFile(join(cwd, "engine.yaml"), commandConfig(join(cwd, "agent.cjs")));
  await mkdir(join(cwd, "project/src"), { recursive: true });
  await writeFile(join(cwd, "project/a.txt"), "A");
  await writeFile(join(cwd, "project/src/ü b.txt"), "B");
  const { command, url } = await serve(["--engine", "engine.yaml"], { cwd });
  await writeFile(join(cwd, "files.yaml"), serviceConfig(url, '      files: [{ path: "**/*.txt" }]\n'));
  await writeFile(join(cwd, "plain.yaml"), serviceConfig(url));
  const direct = await resultOf(cwd, "engine.yaml");
  expect(direct).toMatchObject({
    final_message: "a.txt,src/ü b.txtCount the files.",
    input_tokens: 10,
    artifacts: [{ name: "report.md" }],
  });
  expect(await resultOf(cwd, "files.yaml")).toEqual(direct);
  expect(await resultOf(cwd, "plain.yaml")).toMatchObject({ final_message: "Count the files.", turns: 2 });
  command.kill("SIGTERM");
  const { exitCode, stderr } = await command;
  expect(exitCode).toBe(0);
  expect(linesOf(stderr)).toMatchObject([
    { method: "POST", route: "/v1/run", status: 200, run_status: "completed" },
    { method: "POST", route: "/v1/run", status: 200, run_status: "completed" },
  ]);
});

test("a server requires tokens, and neither they nor a key are in anything it prints or returns", async () => {
  const cwd = await makeFolder({ tokens: `${TOKEN}\n`, project: "" });
  await chmod(join(cwd, "tokens"), 0o600);
  const more = `    env: { ENGINE_KEY: "\${api_key}" }\n`;
  await writeFile(join(cwd, "engine.yaml"), commandConfig(join(FIXTURES, "secret-leaking.mjs"), more));
  const env = { SWITCHYARD_API_KEY: KEY };
  const { command, url } = await serve(["--engine", "engine.yaml", "--tokens", "tokens"], { cwd, env });
  const refused = await ask(url);
  expect([refused.status, refused.headers.get("content-type")]).toEqual([401, "application/problem+json"]);
  await writeFile(
    join(cwd, "client.yaml"),
    serviceConfig(url, `      headers: { Authorization: "Bearer \${api_key}" }\n`),
  );
  const words = ["run", "--engine", "client.yaml", "--state", "state", "--json", "Tell."];
  const run = await switchyard(words, { cwd, env: { SWITCHYARD_API_KEY: TOKEN } });
  expect([run.exitCode, run.stdout, run.stderr]).toEqual([0, expect.stringContaining("REDACTED"), ""]);
  command.kill("SIGINT");
  const { exitCode, stdout, stderr } = await command;
  expect(exitCode).toBe(0);
  for (const secret of [TOKEN, KEY, KEY.slice(3)])
    expect(`${run.stdout}${run.stderr}${String(stdout)}${String(stderr)}`).not.toContain(secret);
  expect(linesOf(stderr)).toMatchObject([{ status: 401, code: "server.unauthorized" }, { status: 200 }]);
});

test("a server starts while its identity provider is unreachable, and then accepts no request", async () => {
  const oidc = "issuer: http://127.0.0.1:1\naudience: switchyard\nroles: { default: [runner] }\n";
  const cwd = await makeFolder({ "oidc.yaml": oidc, "engine.yaml": commandConfig("agent.cjs") });
  const { command, url } = await serve(["--engine", "engine.yaml", "--oidc", "oidc.yaml"], { cwd });
  expect((await ask(url)).status).toBe(401);
  const authorization = `Bearer ${[{ alg: "ES256" }, { sub: "ada" }].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.c2ln`;
  const refused = await fetch(`${url}/v1/runs`, { headers: { authorization } });
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "server.issuer_unavailable" }]);
  command.kill("SIGTERM");
  const { exitCode, stderr } = await command;
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("The keys of the token issuer http://127.0.0.1:1")]);
});

test("a server writes an audit log, and refuses a file that other users can read", async () => {
  const cwd = await makeFolder({
    tokens: `${TOKEN} owner=ada roles=viewer\n`,
    "engine.yaml": commandConfig("agent.cjs"),
  });
  await chmod(join(cwd, "tokens"), 0o600);
  const words = ["--engine", "engine.yaml", "--tokens", "tokens", "--audit-log", "audit.jsonl"];
  const { command, url } = await serve(words, { cwd });
  for (const method of ["GET", "POST"])
    await fetch(`${url}/v1/runs`, { method, headers: { authorization: `Bearer ${TOKEN}` } });
  command.kill("SIGTERM");
  expect((await command).exitCode).toBe(0);
  expect(linesOf(await readFile(join(cwd, "audit.jsonl"), "utf8"))).toMatchObject([
    { outcome: "allowed", operation: "listRuns", owner: "ada", roles: ["viewer"] },
    { outcome: "denied", operation: "createRun", code: "server.missing_role" },
  ]);
  await chmod(join(cwd, "audit.jsonl"), 0o644);
  const refused = await switchyard(["serve", "--port", "0", "--state", "served", ...words], { cwd });
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("other users can access it")]);
});

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

test.each(SIGNALS)("a server that %s stops answers, stores the run to be resumed, and exits with 0", async (signal) => {
  const cwd = await makeFolder();
  const begins = `require("fs").writeFileSync(${JSON.stringify(join(cwd, "begun"))}, ""); setInterval(() => {}, 1000);`;
  await writeFile(join(cwd, "agent.cjs"), begins);
  await writeFile(join(cwd, "engine.yaml"), commandConfig(join(cwd, "agent.cjs")));
  const { command, url } = await serve(["--engine", "engine.yaml"], { cwd });
  const answer = ask(url);
  // Waits until the command has started: a run that is stopped before has no result.
  await expect.poll(() => existsSync(join(cwd, "begun"))).toBe(true);
  const listed = await switchyard(["runs", "list", "--json", "--state", "served"], { cwd });
  expect(listed.stdout).toContain('"running"');
  const begun = Date.now();
  command.kill(signal);
  const answered = await answer;
  expect(answered.status).toBe(200);
  expect(await answered.json()).toMatchObject({ exit_code: 143, stderr: expect.stringContaining("the server stops") });
  expect((await command).exitCode).toBe(0);
  expect(Date.now() - begun).toBeLessThan(100_000);
  const { stdout } = await switchyard(["runs", "list", "--json", "--state", "served"], { cwd });
  expect(stdout).toContain('"interrupted"');
});

test("a configuration that cannot be served is reported before anything listens", async () => {
  const cwd = await makeFolder({
    "engine.yaml": commandConfig("agent.cjs"),
    tokens: `${TOKEN}\n`,
    "bad.yaml": "engine: {}",
  });
  await chmod(join(cwd, "tokens"), 0o644);
  for (const [words, problem] of [
    [["--host", "0.0.0.0"], "cannot listen on 0.0.0.0 without tokens"],
    [["--tokens", "tokens"], "Other users can read the credentials file"],
    [["--tokens", "missing"], "The token file"],
    [["--oidc", "missing"], "The OpenID Connect configuration"],
    [["--oidc", "bad.yaml"], "issuer: "],
    [["--workspace", "missing"], "does not exist"],
    [["--env", "ssh:example.org"], "every run needs a separate environment"],
    [["--env", "nowhere"], "nowhere"],
    [["--port", "70000"], "from 0 to 65535"],
    [["--concurrency", "0"], "1 or more"],
    [["--allow-host", "https://agents.example.org"], "only a host name"],
    [["--allow-host", "agents.example.org:8443"], "only a host name"],
    [["--max-body", "5"], "size such as"],
    [["--engine", "bad.yaml"], "engine"],
    [["--engine", "missing.yaml"], "missing.yaml"],
    [["--model", "nobody/x", "--engine", "agent"], "nobody"],
    [["--ask-user"], "--ask-user"],
  ] as const) {
    const { exitCode, stdout, stderr } = await switchyard(
      ["serve", "--engine", "engine.yaml", "--port", "0", "--state", "served", ...words],
      { cwd },
    );
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain(TOKEN);
  }
  await expect(readFile(join(cwd, "served"))).rejects.toThrow("ENOENT");
});

test("the built-in agent is served, and the runs of a stopped server are continued", async () => {
  const call = (command: string) => ({ name: "shell", arguments: { command } });
  const { baseUrl } = await startMockModel("anthropic", [call("echo one >> notes.txt; sleep 300"), "All is there."]);
  const cwd = await makeFolder();
  const env = { ANTHROPIC_API_KEY: KEY };
  const words = ["--model", "anthropic/test-model", "--base-url", baseUrl];
  const first = await serve(words, { cwd, env });
  const answer = ask(first.url, "Take notes.");
  const notes = async (): Promise<string[]> => {
    const runs = await readdir(join(cwd, "served-workspaces")).catch(() => []);
    return Promise.all(
      runs.map((run) => readFile(join(cwd, "served-workspaces", run, "notes.txt"), "utf8").catch(() => "")),
    );
  };
  await expect.poll(notes).toEqual(["one\n"]);
  first.command.kill("SIGTERM");
  const stopped = await answer;
  expect(stopped.status).toBe(200);
  expect(await stopped.json()).toMatchObject({ exit_code: 1, stderr: expect.stringContaining("the server stops") });
  const runId = stopped.headers.get("switchyard-run-id") ?? "";
  expect((await first.command).exitCode).toBe(0);
  const resumed = await switchyard(["resume", runId, "--state", "served", "--json"], { cwd, env });
  expect(resumed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(resumed.stdout)).toMatchObject({ runId, result: { final_message: "All is there." } });
  // The call that had started is not repeated.
  expect(await notes()).toEqual(["one\n"]);

  const { baseUrl: another } = await startMockModel("anthropic", [call("cat *.md"), "It says hello."]);
  const second = await serve(["--model", "anthropic/test-model", "--base-url", another], { cwd, env });
  const form = new FormData();
  form.append("payload", JSON.stringify({ messages: [{ role: "user", content: "Read it." }] }));
  form.append("files", new Blob(["hello"]), "docs.md");
  const answered = await fetch(`${second.url}/v1/run`, { method: "POST", body: form });
  expect(await answered.json()).toMatchObject({
    ...{ exit_code: 0, final_message: "It says hello.", model: "anthropic/test-model", engine: "agent" },
    ...{ input_tokens: 20, output_tokens: 10 },
    transcript: [
      { role: "user" },
      { role: "assistant" },
      { role: "tool", content: expect.stringContaining("hello") },
      {},
    ],
  });
});

test("an internal error of the server is a line of its log, and is not shown to the caller", async () => {
  const cwd = await makeFolder();
  await writeFile(join(cwd, "engine.yaml"), commandConfig(join(FIXTURES, "echo.mjs")));
  const { command, url } = await serve(["--engine", "engine.yaml"], { cwd });
  await rm(join(cwd, "served-workspaces"), { recursive: true, force: true });
  await writeFile(join(cwd, "served-workspaces"), "no folder");
  expect((await ask(url)).status).toBe(500);
  command.kill("SIGINT");
  const { exitCode, stderr } = await command;
  expect(exitCode).toBe(0);
  expect(linesOf(stderr)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ level: "error", message: "request", code: "run.store_failed" }),
      {
        ...{ time: expect.any(String), level: "error", message: "failure", code: "run.store_failed" },
        ...{ problem: expect.stringContaining("served-workspaces"), remedy: expect.stringContaining("disk space") },
      },
    ]),
  );
});

test("accepted runs survive the death of the server: the next server starts the waiting runs", async () => {
  const script = `const fs = require("node:fs");
    const { messages } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
    if (messages[0].content === "wait") {
      fs.writeFileSync("begun", String(process.pid));
      setInterval(() => {}, 1000);
    }
    else fs.writeFileSync(process.argv[3], JSON.stringify({ exit_code: 0, final_message: messages[0].content }));`;
  const cwd = await makeFolder({ "agent.cjs": script, "secret.txt": KEY });
  await chmod(join(cwd, "secret.txt"), 0o600);
  await writeFile(join(cwd, "engine.yaml"), commandConfig(join(cwd, "agent.cjs")));
  const words = ["--engine", "engine.yaml", "--concurrency", "1", "--resume-on-start", "--keep", "30d"];
  const first = await serve(words, { cwd });
  const create = async (url: string, content: string) => {
    const body = JSON.stringify({ input: { messages: [{ role: "user", content }] } });
    const answer = await fetch(`${url}/v1/runs`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    expect(answer.status).toBe(201);
    const { run_id: runId }: { run_id: string } = JSON.parse(await answer.text());
    return runId;
  };
  const statusOf = async (url: string, runId: string) => {
    const { status }: { status: string } = JSON.parse(await (await fetch(`${url}/v1/runs/${runId}`)).text());
    return status;
  };
  const working = await create(first.url, "wait");
  // Waits until the command has started. The next server would otherwise start a run that never ends.
  const pidOf = () => readFile(join(cwd, "served-workspaces", working, "begun"), "utf8").catch(() => "");
  await expect.poll(pidOf).not.toBe("");
  const left = await pidOf();
  const waiting = await create(first.url, "hello");
  first.command.kill("SIGKILL");
  await first.command;
  const next = await serve([...words, "--webhook-secret", "secret.txt"], { cwd });
  await expect.poll(() => statusOf(next.url, waiting)).toBe("completed");
  // The engine saves no checkpoints, so the outcome of the run is unknown.
  expect(await statusOf(next.url, working)).toBe("error");
  if (process.platform === "linux") expect(await isProcessRunning(left)).toBe(false);
  expect((await fetch(`${next.url}/metrics`)).status).toBe(200);
  const described: unknown = JSON.parse(await (await fetch(`${next.url}/openapi.json`)).text());
  expect(described).toMatchObject({ openapi: "3.1.0" });
  next.command.kill("SIGTERM");
  expect(await next.command).toMatchObject({ exitCode: 0 });
});
