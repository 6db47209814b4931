import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { beginAnswer, endAnswer, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";
import { noTerminal, startOnTerminal } from "./terminal.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
const without = await noTerminal();

const answer: Misbehaviour = (response) => {
  beginAnswer(response);
  endAnswer(response, "wer.");
};

const EVAL = `
name: greetings
variants: { polite: { files: { SKILL.md: Be polite. } }, plain: {} }
engines: [agent]
cases:
  - { id: hello, prompt: Say hello, assert: [{ contains: Half an answer. }] }
  - { id: files, prompt: Look, files: { notes.txt: here }, assert: [{ file_exists: notes.txt }, { command: [test, -s, notes.txt] }] }
`;

async function evalFolder(yaml = EVAL): Promise<{ cwd: string; output: string; env: Record<string, string> }> {
  const cwd = await makeFolder({ "eval.yaml": yaml });
  return { cwd, output: join(await makeFolder(), "out"), env: KEY };
}

const read = (...path: string[]): Promise<string> => readFile(join(...path), "utf8");

test("an evaluation runs the built-in agent on every case, and writes results, JUnit XML and a page", async () => {
  const { baseUrl, requests } = await startLoopbackModel(answer);
  const { cwd, output, env } = await evalFolder();
  const words = ["eval", "eval.yaml", "--model", "anthropic/m", "--base-url", baseUrl, "--output", output];
  const run = await switchyard(words, { cwd, env });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("greetings: 2 cases × 2 variants × 1 engine = 4 runs, 1 at a time");
  expect(run.stdout).toMatch(/✓ PASS {4}hello · polite · agent #1 \(.*\)\n/);
  expect(run.stdout).toContain("Everything passed: 4 of 4 runs passed");
  expect(run.stdout).toMatch(/agent {3}plain +100 % +29–100 % +2 /);
  expect(requests()).toBe(4);
  const results: unknown = JSON.parse(await read(output, "results.json"));
  expect(results).toMatchObject({ outcome: "passed", counts: { total: 4, passed: 4 } });
  expect(await read(output, "junit.xml")).toContain('<testsuites name="greetings" tests="4" failures="0"');
  expect(await read(output, "report.html")).toContain("<title>greetings – evaluation</title>");
  const [id = ""] = await readdir(join(output, "runs"));
  expect(await switchyard(["runs", "show", id, "--state", output])).toMatchObject({ exitCode: 0 });
  // Runs leave no files in the folder in which the command was started.
  expect(await readdir(cwd)).toEqual(["eval.yaml"]);
});

test("third-party agents have all permissions that their settings do not set, like the built-in agent", async () => {
  const agent = `#!/bin/sh
[ "$1" = --version ] && echo 1.14.24 && exit
echo '{"type":"step_start","sessionID":"ses_1","part":{"type":"step-start"}}'
printf '{"type":"text","sessionID":"ses_1","part":{"type":"text","text":"%s"}}\\n' "$(echo "$OPENCODE_PERMISSION" | tr -d '"')"
echo '{"type":"step_finish","sessionID":"ses_1","part":{"type":"step-finish","reason":"stop","tokens":{"input":1,"output":1},"cost":0}}'
`;
  const bin = await makeFolder({ opencode: agent });
  await chmod(join(bin, "opencode"), 0o755);
  const yaml = `engines: [opencode, { id: careful, name: opencode, adapter: { allowed_tools: [read] } }]
cases: [{ id: c, prompt: Go, assert: [{ contains: "*:allow" }] }]`;
  const { cwd, output } = await evalFolder(yaml);
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  const words = ["eval", "eval.yaml", "--output", output];
  const run = await switchyard(words, { cwd, env });
  expect(run.stdout).toMatch(/✓ PASS {4}c · opencode #1/);
  expect(run.stdout).toMatch(/✗ FAIL {4}c · careful #1/);
  expect(run.stdout).toContain(
    "\nEnvironment: local, commands can use the network\nPermissions: everything is allowed that an engine's settings do not restrict; --mode plan allows only reading\n",
  );
  const strict = await switchyard([...words, "--mode", "plan"], { cwd, env });
  expect(strict.stdout).toContain("\nPermissions: engines only read files (--mode plan)\n");
  expect(strict.stdout).toMatch(/✗ FAIL {4}c · opencode #1/);
  const free = await switchyard([...words, "--mode", "auto"], { cwd, env });
  expect(free.stdout).toMatch(/✓ PASS {4}c · careful #1/);
  // Results of engines with other permissions, models or environments are not mixed.
  for (const changed of [["plan"], ["auto", "--model", "anthropic/other"], ["auto", "--env", "memory"]]) {
    const resumed = await switchyard([...words, "--resume", "--mode", ...changed], { cwd, env });
    expect(resumed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("belong to another evaluation") });
  }
});

test.each(["plan", "ask"])("with --mode %s, the built-in agent cannot write", async (mode) => {
  const write = { name: "write_file", arguments: { path: "a.txt", content: "a" } };
  const { baseUrl, mock } = await startMockModel("anthropic", [write, "It was denied."]);
  const yaml = "engines: [agent]\ncases: [{ id: c, prompt: Go, assert: [{ files_not_exist: [a.txt] }] }]";
  const { cwd, output, env } = await evalFolder(yaml);
  const words = ["eval", "eval.yaml", "--model", "anthropic/m", "--base-url", baseUrl, "--output", output];
  const run = await switchyard([...words, "--mode", mode], { cwd, env });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(mock.getRequests()).toHaveLength(2);
});

test("a mode that an engine does not support is refused before any run", async () => {
  const custom = "custom: { transport: local, response_format: text, local: { command: cat } }";
  const { cwd, output } = await evalFolder(`engines: [{ name: mine, ${custom} }]\ncases: [{ id: c, prompt: Go }]`);
  const run = await switchyard(["eval", "eval.yaml", "--output", output, "--mode", "plan"], { cwd });
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain("the engine mine does not support permissions, so plan cannot be enforced");
});

test("runs may be in memory, and assertions check the files there as well", async () => {
  const { baseUrl } = await startLoopbackModel(answer);
  const { cwd, output, env } = await evalFolder();
  const words = ["eval", "eval.yaml", "--model", "anthropic/m", "--base-url", baseUrl, "--output", output];
  const run = await switchyard([...words, "--env", "memory", "--concurrency", "4", "--keep-workspaces", "all"], {
    cwd,
    env,
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await readdir(join(output, "workspaces"))).toHaveLength(4);
});

test("a judge model is called with a key of the environment, and its verdict counts", async () => {
  const { baseUrl, mock } = await startMockModel("anthropic", [
    "The cause was a missing await.",
    '{"results": [{"criterion_id": "c1", "passed": true, "evidence": "It names the await."}]}',
    "No idea.",
    '{"results": [{"criterion_id": "c1", "passed": false, "evidence": "It names nothing."}]}',
  ]);
  const yaml = `engines: [agent]
iterations: 2
judge: { model: anthropic/judge, base_url: "${baseUrl}" }
cases: [{ id: c, prompt: Why?, assert: [{ judge: The answer names the root cause. }] }]`;
  const { cwd, output, env } = await evalFolder(yaml);
  const words = ["eval", "eval.yaml", "--model", "anthropic/m", "--base-url", baseUrl, "--output", output, "--json"];
  const run = await switchyard(words, { cwd, env });
  expect(run).toMatchObject({ exitCode: 1, stderr: "" });
  expect(JSON.parse(run.stdout)).toMatchObject({
    usage: { input_tokens: 40, output_tokens: 20 },
    trials: [
      { outcome: "PASS", assertions: [{ kind: "judge", reason: "It names the await." }] },
      { outcome: "FAIL", usage: { input_tokens: 10 }, judge_usage: { input_tokens: 10 } },
    ],
  });
  expect(JSON.stringify(mock.getRequests()[1]?.body)).toContain("The cause was a missing await.");
  const keyless = await switchyard(["eval", "eval.yaml", "--output", output, "--engine", "nobody"], { cwd });
  expect(keyless).toMatchObject({ exitCode: 2 });
});

test("the exit code reports whether runs failed or ended in errors, and engines are compared side by side", async () => {
  const { baseUrl } = await startLoopbackModel(answer);
  const gone = `engines:
  - { id: first, name: agent, model: { provider: anthropic, name: m, base_url: "${baseUrl}" } }
  - engine.json
cases: [{ id: c, prompt: x, assert: [{ contains: never said }] }]`;
  const { cwd, output, env } = await evalFolder(gone);
  const custom = { transport: "local", response_format: "text", local: { command: "cat", args: ["/does/not/exist"] } };
  await writeFile(join(cwd, "engine.json"), JSON.stringify({ engine: { name: "broken", custom } }));
  const both = await switchyard(["eval", "eval.yaml", "--output", output], { cwd, env });
  expect(both).toMatchObject({ exitCode: 3, stderr: "" });
  expect(both.stdout).toContain("✗ FAIL    c · first #1");
  expect(both.stdout).toContain("! ERROR   c · broken #1");
  const one = ["eval", "eval.yaml", "--output", output, "--engine", "first", "--json"];
  const failed = await switchyard(one, { cwd, env });
  expect(failed).toMatchObject({ exitCode: 1, stderr: "" });
  expect(JSON.parse(failed.stdout)).toMatchObject({
    outcome: "failed",
    trials: [{ engine: "first", outcome: "FAIL" }],
  });
});

test("an invalid configuration is reported before anything runs", async () => {
  const { cwd, output, env } = await evalFolder("iterations: none\ncases: [{ id: c, promt: x }]\nengines: [agent]");
  const run = await switchyard(["eval", "eval.yaml", "--output", output], { cwd, env });
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain("\n  cases[0].promt is not a known setting; known are id, title, tags, prompt,");
  expect(run.stderr).toContain("\n  iterations must be a whole number from 1 on\n");
  const away = await switchyard(["eval", "eval.yaml", "--env", "ssh:host"], { cwd, env });
  expect(away).toMatchObject({ exitCode: 2 });
  expect(away.stderr).toContain("Each run of an evaluation needs a new environment");
});

test("Ctrl-C stops cleanly with the results so far, and --resume runs the rest", async () => {
  let isBroken = true;
  const { baseUrl, requests } = await startLoopbackModel((response, request) => {
    if (!isBroken || requests() <= 2) answer(response, request);
  });
  const { cwd, output, env } = await evalFolder();
  const words = ["eval", "eval.yaml", "--model", "anthropic/m", "--base-url", baseUrl, "--output", output];
  const { command } = await startSwitchyard(words, { cwd, env });
  let seen = "";
  command.stdout?.on("data", (chunk) => {
    const before = seen.split("PASS").length;
    seen += String(chunk);
    if (before < 3 && seen.split("PASS").length >= 3) command.kill("SIGINT");
  });
  const { exitCode, stdout } = await command;
  expect(exitCode).toBe(130);
  expect(String(stdout)).toContain("Stopped before the end: 2 of 4 runs passed");
  expect(JSON.parse(await read(output, "results.json"))).toMatchObject({
    outcome: "interrupted",
    counts: { total: 4, passed: 2, failed: 0, errors: 0, skipped: 2 },
  });
  isBroken = false;
  const before = requests();
  const again = await switchyard([...words, "--resume"], { cwd, env });
  expect(again).toMatchObject({ exitCode: 0, stderr: "" });
  expect(again.stdout).toContain("2 of these runs are already complete.");
  expect(requests() - before).toBe(2);
  expect(JSON.parse(await read(output, "results.json"))).toMatchObject({ outcome: "passed", counts: { passed: 4 } });
});

test("on a terminal, running cases are shown below the finished ones", async ({ skip }) => {
  skip(without !== undefined, without);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { baseUrl } = await startLoopbackModel((response, request) => {
    void released.then(() => answer(response, request));
  });
  const { cwd, env } = await evalFolder();
  const words = ["eval", "eval.yaml", "--model", "anthropic/m", "--base-url", baseUrl, "--concurrency", "2"];
  const terminal = await startOnTerminal(words, { cwd, env });
  await terminal.until("0 of 4 · 0 passed · 0 failed · 0 errors");
  await terminal.until("hello · plain · agent #1 · ");
  release();
  await terminal.until("1 of 4 · 1 passed");
  await terminal.until("Everything passed");
  const { exitCode, shown } = await terminal.end();
  expect(exitCode).toBe(0);
  expect(shown).toContain("report.html");
});

test("a folder of tasks in Harbor's format is validated; unsupported fields and other environments are refused", async () => {
  const folderWith = async (toml: string): Promise<string> => {
    const cwd = await makeFolder();
    const files = { "task.toml": toml, "instruction.md": "Do it.", "tests/test.sh": "#!/bin/sh" };
    for (const folder of ["environment", "tests"]) await mkdir(join(cwd, "tasks/one", folder), { recursive: true });
    await writeFile(join(cwd, "tasks/one/environment/Dockerfile"), "FROM busybox:stable");
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, "tasks/one", name), text);
    return cwd;
  };
  const cwd = await folderWith("[environment]\nstorage_mb = 10\n");
  const valid = await switchyard(["validate", "tasks"], { cwd });
  expect(valid).toMatchObject({ exitCode: 0, stdout: "tasks is a valid Evaluation." });
  expect(valid.stderr).toContain("environment.storage_mb has no effect");
  const elsewhere = await switchyard(["eval", "tasks", "--engine", "nop", "--env", "sandbox"], { cwd });
  expect(elsewhere).toMatchObject({ exitCode: 2, stdout: "" });
  expect(elsewhere.stderr).toContain(
    "Each task in Harbor's format runs in a container of its own image. Leave out --env.",
  );
  const output = join(cwd, "out");
  const unsolved = await switchyard(["eval", "tasks", "--engine", "oracle", "--output", output], { cwd });
  expect(unsolved).toMatchObject({ exitCode: 2, stdout: "" });
  expect(unsolved.stderr).toContain("these tasks have no solution/solve.sh: one.");
  const other = await folderWith('[agent]\nnetwork_mode = "allowlist"\n[environment]\ngpus = 2\n');
  for (const command of [
    ["validate", "tasks/one"],
    ["eval", "tasks/one/task.toml", "--engine", "nop"],
  ]) {
    const refused = await switchyard(command, { cwd: other });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("task.toml: agent.network_mode is allowlist, which is not supported");
    expect(refused.stderr).toContain("task.toml: environment.gpus is not supported");
  }
});
