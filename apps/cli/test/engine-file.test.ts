import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, switchyard, switchyardProcess } from "./start-switchyard.ts";

const KEY = "sk-the-key-of-nobody-0123456789";

const ENGINE = `engine:
  name: review-cli
  model: { provider: acme-ai, name: large }
  custom:
    transport: local
    effects: idempotent
    kwargs:
      profile: \${PROFILE:-strict}
    env:
      SERVICE_KEY: \${api_key}
    local:
      command: ${process.execPath}
      args: [agent.cjs, "\${input_file}", "\${output_file}"]
      output_file: \${output_file}
`;

const AGENT = `
const fs = require("node:fs");
const [inputFile, outputFile] = process.argv.slice(2);
const input = JSON.parse(fs.readFileSync(inputFile, "utf8"));
fs.writeFileSync("report.md", "# Report\\n");
if (fs.existsSync("stop")) { fs.renameSync("stop", "stopped"); process.kill(process.ppid, "SIGKILL"); }
fs.writeFileSync(outputFile, JSON.stringify({
  exit_code: 0,
  final_message: input.kwargs.profile + " " + input.model + " " + process.env.SERVICE_KEY,
  artifacts: { generated_files: ["report.md"] },
}));
`;

async function makeProject(files: Record<string, string> = {}): Promise<string> {
  return makeFolder({ "engine.yaml": ENGINE, "agent.cjs": AGENT, ...files });
}

test("a file describes the engine that runs, and its key is found but never shown", async () => {
  const cwd = await makeProject({ "case.json": '{"case_id":"one","messages":[{"role":"user","content":"Review."}]}' });
  const words = [
    "run",
    "--engine",
    "./engine.yaml",
    "--input",
    "case.json",
    "--output",
    "result.json",
    "--state",
    "state",
  ];
  const run = await switchyard(words, { cwd, env: { ACME_AI_API_KEY: KEY, PROFILE: "lenient" } });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("lenient acme-ai/large ***REDACTED***");
  const result: unknown = JSON.parse(await readFile(join(cwd, "result.json"), "utf8"));
  expect(result).toMatchObject({ exit_code: 0, engine: "review-cli", model: "acme-ai/large" });
  expect(run.stdout + JSON.stringify(result)).not.toContain(KEY);
  const { stdout } = await switchyard(["runs", "show", "--last", "--json", "--state", "state"], { cwd });
  if (stdout !== "") expect(stdout).not.toContain(KEY);
});

test("a key comes from the command line, or from a file that only the user may read", async () => {
  const cwd = await makeProject();
  const home = await makeFolder();
  const file = join(home, "switchyard", "credentials.yaml");
  const words = ["run", "--engine", "engine.yaml", "--state", "state", "Review."];
  const env = { XDG_CONFIG_HOME: home };
  const none = await switchyard(words, { cwd, env });
  expect(none.exitCode).toBe(2);
  expect(none.stderr).toContain("needs an API key, and none was found");
  expect(none.stderr).toContain("ACME_AI_API_KEY, SWITCHYARD_API_KEY");

  expect(await switchyard([...words, "--api-key", KEY], { cwd, env })).toMatchObject({ exitCode: 0, stderr: "" });

  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `acme-ai: ${KEY}\n`, { mode: 0o644 });
  await chmod(file, 0o644);
  const exposed = await switchyard(words, { cwd, env });
  expect(exposed.exitCode).toBe(2);
  expect(exposed.stderr).toContain("Other users can read the credentials file");
  expect(exposed.stderr).not.toContain(KEY);
  await chmod(file, 0o600);
  const kept = await switchyard(words, { cwd, env });
  expect(kept).toMatchObject({ exitCode: 0, stderr: "" });
  expect(kept.stdout).toContain("***REDACTED***");
});

test("all errors of the file are reported at once, and nothing runs", async () => {
  const cwd = await makeProject({
    "bad.yaml": ENGINE.replace("transport: local", "transport: lokal\n    surprise: 1"),
  });
  for (const words of [
    ["validate", "bad.yaml"],
    ["run", "--engine", "bad.yaml", "Review."],
  ]) {
    const { exitCode, stderr, stdout } = await switchyard(words, { cwd });
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain('  engine.custom.transport must be "local" or "http" (got "lokal")\n');
    expect(stderr).toContain("  engine.custom.surprise is not a known setting\n");
  }
  const broken = await makeFolder({ "engine.yaml": "engine:\n  name: [\n" });
  const unread = await switchyard(["validate", "engine.yaml"], { cwd: broken });
  expect(unread.exitCode).toBe(2);
  expect(unread.stderr).toContain("engine.yaml is not valid YAML or JSON at line");
  await expect(readFile(join(cwd, "report.md"))).rejects.toThrow("ENOENT");
});

test("a valid file is reported as valid, also as JSON", async () => {
  const cwd = await makeProject();
  expect(await switchyard(["validate", "engine.yaml"], { cwd })).toMatchObject({
    ...{ exitCode: 0, stdout: "engine.yaml is a valid EngineConfig." },
  });
  const { stdout } = await switchyard(["validate", "--json", "engine.yaml"], { cwd });
  expect(JSON.parse(stdout)).toEqual({ file: "engine.yaml", type: "EngineConfig", valid: true, problems: [] });
});

const EVALUATION = `schema_version: v1alpha1
environment:
  type: none
mcp:
  servers: []
${ENGINE.replace("  model:", "  version: 1.2.0\n  model:")}
cases:
  files:
    - hello.yaml
  defaults:
    timeout_seconds: 60
    max_turns: 3
  parallelism: 1
report:
  formats: [json]
`;
const IGNORED = "only its engine is used. Ignored: environment, mcp, cases, report, engine.version.";

test("the engine of an evaluation file is validated and run, and ignored fields are reported", async () => {
  const cwd = await makeProject({ "eval.yaml": EVALUATION, "hello.yaml": "input: { prompt: Hello }" });
  const valid = await switchyard(["validate", "eval.yaml"], { cwd });
  expect(valid).toMatchObject({ exitCode: 0, stdout: "eval.yaml is a valid Evaluation." });
  expect(valid.stderr).toBe(
    "warning: engine.version is not checked, because no command of the engine review-cli is known.",
  );
  const args = ["run", "--engine", "eval.yaml", "--api-key", KEY, "--state", "state", "Review it"];
  const run = await switchyard(args, { cwd });
  expect([run.exitCode, run.stdout], run.stderr).toEqual([0, expect.stringContaining("strict acme-ai/large")]);
  expect(run.stderr).toContain(IGNORED);
});

test.each([
  ["claude_code", "claude"],
  ["codex", "codex"],
])("an evaluation file that names skill-up's agent %s is valid, and the command %s is run", async (name, command) => {
  const engine = `engine:\n  name: ${name}\n  version: 1.2.0\n  model: { name: m }\n`;
  const text = `schema_version: v1alpha1\n${engine}cases: { files: [a.yaml] }\n`;
  const cwd = await makeProject({ "eval.yaml": text, "a.yaml": "input: { prompt: Go. }" });
  expect((await switchyard(["validate", "eval.yaml"], { cwd })).exitCode).toBe(0);
  // Simulated agent command that records its start and fails.
  const programs = await makeFolder();
  await writeFile(join(programs, command), `#!/bin/sh\necho started >> ${join(programs, "log")}\nexit 1\n`, {
    mode: 0o755,
  });
  const env = { PATH: `${programs}:${process.env["PATH"] ?? ""}` };
  const run = await switchyard(["run", "--engine", "eval.yaml", "--state", "state", "Go."], { cwd, env });
  expect(run.exitCode, run.stderr).not.toBe(0);
  expect(await readFile(join(programs, "log"), "utf8")).toContain("started\n");
});

test("a command of an evaluation file gets its credential; results are not continued with a changed case file", async () => {
  const text = "schema_version: v1alpha1\nengine: { name: qoder }\ncases: { files: [a.yaml] }\n";
  const oneCase = "input: { prompt: Go. }\nexpect: { must_contain: [token of 20] }\n";
  const cwd = await makeProject({ "eval.yaml": text, "a.yaml": oneCase });
  const programs = await makeFolder();
  const program = '#!/bin/sh\necho token of $(printf %s "$QODER_PERSONAL_ACCESS_TOKEN" | wc -c)\n';
  await writeFile(join(programs, "qodercli"), program, { mode: 0o755 });
  const PATH = `${programs}:${process.env["PATH"] ?? ""}`;
  const env = { PATH, QODER_PERSONAL_ACCESS_TOKEN: "a1b2c3d4e5f6g7h8i9j0" };
  const words = ["eval", "eval.yaml", "--output", join(cwd, "results")];
  const first = await switchyard(words, { cwd, env });
  expect([first.exitCode, first.stderr]).toEqual([0, ""]);
  await writeFile(join(cwd, "a.yaml"), `${oneCase}title: Changed\n`);
  const refused = await switchyard([...words, "--resume"], { cwd, env });
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.stderr).toContain("belong to another evaluation, to an earlier version of it");
});

test("a file without a schema version may contain only its engine", async () => {
  const cwd = await makeProject({ "typo.yaml": EVALUATION.replace("schema_version: v1alpha1\n", "") });
  const refused = await switchyard(["validate", "typo.yaml"], { cwd });
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("cases is not a known setting")]);
});

test("a run whose process was killed continues with the same file, and not with another", async () => {
  const cwd = await makeProject({ stop: "" });
  const env = { ACME_AI_API_KEY: KEY };
  const killed = await switchyardProcess(["run", "--engine", "engine.yaml", "--state", "state", "Review."], {
    cwd,
    env,
  });
  expect(killed.exitCode).not.toBe(0);
  const listed = await switchyard(["runs", "list", "--json", "--state", "state"], { cwd });
  const [, runId = ""] = /"([0-9a-z]{26})"/.exec(listed.stdout) ?? [];
  await writeFile(join(cwd, "engine.yaml"), `${ENGINE}# changed\n`);
  const words = ["resume", runId, "--state", "state", "--take-over"];
  const refused = await switchyard(words, { cwd, env });
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("has changed since the run started");
  const resumed = await switchyard([...words, "--engine", "engine.yaml"], { cwd, env });
  expect(resumed).toMatchObject({ exitCode: 0 });
  expect(resumed.stdout).toContain("strict acme-ai/large ***REDACTED***");
});

test("a service answers over http, and artifacts come from the configured folder", async () => {
  const asked: { url: string | undefined; authorization: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      asked.push({ url: request.url, authorization: request.headers.authorization, body });
      if (request.method === "GET") {
        response.end("<p>fetched</p>");
        return;
      }
      const { port } = request.socket.address() as AddressInfo;
      const files = [
        { name: "report.html", url: `http://127.0.0.1:${port}/artifacts/report.html` },
        { name: "secret.txt", url: "http://127.0.0.2:1/private" },
        { name: "passwd", path: "/etc/passwd" },
      ];
      response.end(JSON.stringify({ exit_code: 0, final_message: "Reviewed.", artifacts: { files } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const config = `engine:
  name: review-service
  custom:
    transport: http
    http:
      url: \${ENDPOINT}/v1/run
      headers: { Authorization: "Bearer \${api_key}" }
`;
  const cwd = await makeFolder({ "engine.yaml": config });
  const env = { ENDPOINT: `http://127.0.0.1:${port}`, SWITCHYARD_API_KEY: KEY };
  const run = await switchyard(["run", "--engine", "engine.yaml", "--json", "--state", "state", "Review."], {
    cwd,
    env,
  });
  expect(run.exitCode).toBe(0);
  const report = JSON.parse(run.stdout);
  expect(report.artifacts).toEqual([
    { name: "report.html", path: "report.html", bytes: 14 },
    { name: "secret.txt", dropped: expect.stringContaining("127.0.0.2") },
    { name: "passwd", dropped: expect.stringContaining("is one of another machine") },
  ]);
  expect(await readFile(join(report.runFolder, "artifacts", "report.html"), "utf8")).toBe("<p>fetched</p>");
  expect(asked).toMatchObject([
    { url: "/v1/run", authorization: `Bearer ${KEY}` },
    { url: "/artifacts/report.html", authorization: undefined },
  ]);
  expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({ messages: [{ role: "user", content: "Review." }] });
});

test("control characters in a folder name do not move the cursor, also in the path of the run's files", async () => {
  const cwd = join(await makeProject(), "a\u001b[2Jb\u202ec");
  await mkdir(cwd);
  const words = ["run", "--engine", "../engine.yaml", "--api-key", KEY, "--state", "state", "Review it."];
  const { stdout, stderr } = await switchyard(words, { cwd });
  expect(stdout).toContain("Run folder: ");
  for (const control of ["\u001b", "\u202e"]) expect(stdout + stderr).not.toContain(control);
});
