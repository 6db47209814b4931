import { chmod, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { BIN, makeFolder, switchyard } from "./start-switchyard.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const SAMPLES = join(ROOT, "fixtures/runtimes");
const OWN = join(ROOT, "packages/runtimes/agent-runtimes/switchyard");
const KEY = "test-key-that-is-not-real";

/** Creates a project folder with runtime packages. */
async function makeProject(...names: string[]): Promise<string> {
  const project = await makeFolder();
  for (const name of names) await cp(join(SAMPLES, name), join(project, "agent-runtimes", name), { recursive: true });
  return project;
}

/** Creates a home folder with runtime packages. */
async function makeHome(...names: string[]): Promise<string> {
  const home = await makeFolder();
  const folder = join(home, ".config/switchyard/agent-runtimes");
  await mkdir(folder, { recursive: true });
  for (const name of names) await cp(join(SAMPLES, name), join(folder, name), { recursive: true });
  return home;
}

function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return value;
}

function requestOf(workspace: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    ...{ schema: "homeboy/agent-task-request/v1", task_id: "task-1", instructions: "Say hello." },
    ...{ executor: { backend: "switchyard", model: "openai/test-model" }, workspace: { root: workspace } },
    ...fields,
  });
}

test("the contract is printed byte for byte as it is published [runtime-fixture-4]", async () => {
  const { exitCode, stdout } = await switchyard(["contract", "--json"]);
  const file = join(ROOT, "packages/runtimes/contract/agent-task-core-contract.json");
  expect({ exitCode, stdout: `${stdout}\n` }).toEqual({ exitCode: 0, stdout: await readFile(file, "utf8") });
  expect((await switchyard(["contract"])).stdout).toContain("outcome_statuses: succeeded, no_op, ");
});

test("packages are listed by their ids; those of a project only if it is trusted [runtime-selection-7]", async () => {
  const [cwd, home] = [await makeProject("full", "shell"), await makeHome("minimal")];
  const env = { HOME: home };
  expect((await switchyard(["runtimes", "list"], { cwd, env })).stdout).toBe("minimal  user     minimal");
  const trusted = await switchyard(["runtimes", "list", "--trust-workspace", "--json"], { cwd, env });
  expect(readJson(trusted.stdout)).toMatchObject({
    runtimes: [{ id: "full" }, { id: "minimal" }, { id: "shell", backends: ["shell"] }],
    ...{ conflicts: [], faults: [] },
  });
});

test("without packages, or without a folder, the output says what to do", async () => {
  const home = await makeFolder();
  const listed = await switchyard(["runtimes", "list"], { env: { HOME: home } });
  expect(listed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(join(home, ".config/switchyard")) });
  expect(listed.stderr).toContain("Use --trust-workspace to include this project");
  const missing = await switchyard(["runtimes", "validate", "nowhere"]);
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("it does not exist; name the folder") });
  expect(missing.stderr).not.toContain("ENOENT");
});

test("a conflict and a broken package are reported, and do not affect the others", async () => {
  const [cwd, home] = [await makeProject("minimal", "full"), await makeHome("minimal")];
  await mkdir(join(cwd, "agent-runtimes/broken"));
  await writeFile(join(cwd, "agent-runtimes/broken/broken.json"), '{"schema":\n oops}');
  const { stdout, stderr } = await switchyard(["runtimes", "list", "--trust-workspace"], { cwd, env: { HOME: home } });
  expect(stdout).toMatch(/^full {2}/u);
  expect(stderr).toContain("conflict: the runtime minimal is declared in ");
  expect(stderr).toMatch(/broken.*line 2, column 2/u);
});

test("a package is shown with its missing dependencies, and the remedy [runtime-readiness-1, runtime-readiness-2]", async () => {
  const cwd = await makeProject("full");
  await cp(OWN, join(cwd, "agent-runtimes/switchyard"), { recursive: true });
  const ready = await switchyard(["runtimes", "show", "full", "--trust-workspace"], { cwd });
  expect(ready).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("ready: Node.js") });
  const lacking = await switchyard(["runtimes", "show", "switchyard", "--trust-workspace"], { cwd });
  expect(lacking.exitCode).toBe(1);
  expect(lacking.stdout).toContain("missing: The command switchyard: switchyard cannot be run. Install it with");
  const unknown = await switchyard(["runtimes", "show", "nothing", "--trust-workspace"], { cwd });
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Known runtimes: full, switchyard") });
});

test("manifests are validated at two levels, our own at the strict one [runtime-manifest-5]", async () => {
  const own = await switchyard(["runtimes", "validate", OWN]);
  expect(own).toEqual({ exitCode: 0, stdout: "switchyard is a valid runtime package (strict).", stderr: "" });
  const minimal = join(SAMPLES, "minimal");
  const strict = await switchyard(["runtimes", "validate", minimal, "--json"]);
  expect(strict.exitCode).toBe(2);
  expect(readJson(strict.stdout)).toMatchObject({
    valid: false,
    problems: expect.arrayContaining(["name is required", "agent_task_executors[0].label is required"]),
  });
  expect(await switchyard(["runtimes", "validate", minimal, "--level", "load"])).toMatchObject({ exitCode: 0 });
});

test("a task on standard input is executed by an engine: one outcome, exit code 0 [runtime-provider-command-22]", async () => {
  const { baseUrl } = await startMockModel("openai", [
    { name: "shell", arguments: { command: "echo hello > hello.txt" } },
    "I said hello.",
  ]);
  const workspace = await makeFolder();
  const options = { env: { OPENAI_API_KEY: KEY }, input: requestOf(workspace) };
  const { exitCode, stdout } = await switchyard(["runtimes", "exec", "agent", "--base-url", baseUrl], options);
  expect(exitCode).toBe(0);
  expect(readJson(stdout)).toMatchObject({
    ...{ schema: "homeboy/agent-task-outcome/v1", task_id: "task-1", status: "succeeded", summary: "I said hello." },
    metadata: { engine: "agent", model: "openai/test-model" },
  });
  expect(await readFile(join(workspace, "hello.txt"), "utf8")).toBe("hello\n");
  expect(stdout).not.toContain(KEY);
});

test("a reason that prevents the engine from running is an outcome with exit code 0 as well [runtime-provider-command-22]", async () => {
  const workspace = await makeFolder();
  const without = await switchyard(["runtimes", "exec", "agent"], { input: requestOf(workspace) });
  expect(without.exitCode).toBe(0);
  expect(readJson(without.stdout)).toMatchObject({
    status: "provider_error",
    diagnostics: [{ data: { code: "model.missing_key" } }],
  });
  const invalid = await switchyard(["runtimes", "exec", "agent"], { input: requestOf(workspace, { instructions: 7 }) });
  expect(invalid.exitCode).toBe(0);
  expect(readJson(invalid.stdout)).toMatchObject({ status: "failed", failure_classification: "invalid_input" });
});

test("if the task of an outcome is unknown, no outcome is printed, and the exit code reports it [runtime-provider-command-22]", async () => {
  for (const input of ["", "{", "[]", '{"schema":"homeboy/agent-task-request/v1"}']) {
    expect(await switchyard(["runtimes", "exec", "agent"], { input })).toMatchObject({ exitCode: 2, stdout: "" });
  }
});

test("a package of the user's is an engine by its id", async () => {
  const home = await makeHome("minimal");
  const cwd = await makeFolder();
  const run = await switchyard(["run", "--engine", "runtime:minimal", "Say hi."], { cwd, env: { HOME: home } });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("You asked: Say hi.");
  const unknown = await switchyard(["run", "--engine", "runtime:acme", "Say hi."], { cwd, env: { HOME: home } });
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Known runtimes: minimal") });
});

test("a package of a trusted project is an engine by its id; one of a project that is not trusted is named", async () => {
  const cwd = await makeProject("minimal");
  const env = { HOME: await makeFolder() };
  const words = ["run", "--engine", "runtime:minimal", "Say hi."];
  const refused = await switchyard(words, { cwd, env });
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("runtime:minimal is the package agent-runtimes/minimal in this folder"),
  });
  expect(refused.stderr).toContain("--trust-workspace");
  const run = await switchyard([...words, "--trust-workspace"], { cwd, env });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("You asked: Say hi.");
});

test("if a package has several backends, its engine is named with the chosen one", async () => {
  const home = await makeFolder();
  const folder = join(home, ".config/switchyard/agent-runtimes/pair");
  await mkdir(folder, { recursive: true });
  const outcome = 'schema: "homeboy/agent-task-outcome/v1", task_id: JSON.parse(text).task_id, status: "succeeded"';
  await writeFile(
    join(folder, "say.mjs"),
    `let text = "";
     for await (const chunk of process.stdin) text += chunk;
     console.log(JSON.stringify({ ${outcome}, summary: "This is " + process.argv[2] }));`,
  );
  const providers = ["left", "right"].map((backend) => ({
    ...{ id: `pair.${backend}`, backend, command: `${process.execPath} {{runtime_path}}/say.mjs ${backend}` },
  }));
  const manifest = { schema: "homeboy/agent-runtime-manifest/v1", id: "pair", agent_task_executors: providers };
  await writeFile(join(folder, "pair.json"), JSON.stringify(manifest));
  const env = { HOME: home };
  const unclear = await switchyard(["run", "--engine", "runtime:pair", "Go."], { env });
  expect(unclear).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("pair/left, pair/right") });
  const run = await switchyard(["run", "--engine", "runtime:pair/right", "Go."], { env });
  expect(run).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringContaining("This is right") });
});

test("our own package executes a task of our own host: a model's answer passes through the whole chain", async () => {
  const { baseUrl } = await startMockModel("openai", ["All the way round."]);
  const home = await makeFolder();
  const folder = join(home, ".config/switchyard/agent-runtimes");
  await mkdir(folder, { recursive: true });
  await symlink(OWN, join(folder, "switchyard"));
  const bin = await makeFolder({
    switchyard: `#!/bin/sh\ncase "$1" in runtimes) set -- "$@" --base-url ${baseUrl};; esac\nexec ${process.execPath} ${BIN} "$@"\n`,
  });
  await chmod(join(bin, "switchyard"), 0o755);
  const env = { HOME: home, OPENAI_API_KEY: KEY, PATH: `${bin}${delimiter}${process.env["PATH"]}` };
  const words = ["run", "--engine", "runtime:switchyard", "--model", "openai/test-model", "Go."];
  const run = await switchyard(words, { env });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("All the way round.");
});
