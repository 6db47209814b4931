import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { answerError, beginAnswer, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { BIN, makeFolder, switchyard, switchyardProcess } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
const MODEL = ["--model", "anthropic/test-model"];
const STACK = /\n\s+at /;

async function refusedRun(words: readonly string[], options: Parameters<typeof switchyard>[1] = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await switchyard(["run", ...words], { env: KEY, ...options });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(/^error: .+\nhint: .+$/);
  return stderr;
}

test("no key: the variable and the demo are named", async () => {
  const stderr = await refusedRun([...MODEL, "hello"], { env: {} });
  expect(stderr).toContain("No API key was found for anthropic");
  expect(stderr).toContain("Set ANTHROPIC_API_KEY. `switchyard demo`");
});

test("without a model: the error says how to choose one", async () => {
  const stderr = await refusedRun(["hello"], { env: {} });
  expect(stderr).toContain("No model was chosen");
  expect(stderr).toContain("with `--model provider/name`, or set one of ANTHROPIC_API_KEY");
});

test("an unknown provider: the known ones are named", async () => {
  const stderr = await refusedRun(["--model", "nobody/some-model", "hello"]);
  expect(stderr).toMatch(/No model provider is named nobody\. Known providers: .*anthropic/);
});

test("a model without a provider: the form is shown", async () => {
  expect(await refusedRun(["--model", "some-model", "hello"])).toContain("provider/name");
});

test("an unknown engine: the known ones are named", async () => {
  expect(await refusedRun([...MODEL, "--engine", "nobody", "hello"])).toContain(
    "No engine is named nobody. Known engines: agent",
  );
});

test("a workspace that is missing, and one that is a file", async () => {
  const folder = await makeFolder({ file: "" });
  expect(await refusedRun([...MODEL, "-w", join(folder, "nothing"), "hello"])).toContain("does not exist");
  expect(await refusedRun([...MODEL, "-w", join(folder, "file"), "hello"])).toContain("is not a folder");
});

test("an option with an empty value, for example from an unset variable", async () => {
  for (const option of ["--workspace", "--state", "--output", "--model", "--timeout", "--from"]) {
    expect(await refusedRun([...MODEL, option, "", "hello"])).toContain("argument '' is invalid. The value is empty.");
  }
});

test("a folder that was removed under one's feet", async () => {
  const folder = await makeFolder();
  const leave = ["-c", 'cd "$1" && rmdir "$1" && shift && exec "$@"', "sh", folder, process.execPath, BIN];
  const env = { ...KEY, PATH: process.env["PATH"], HOME: await makeFolder() };
  const start = (...words: string[]) => execa("sh", [...leave, ...words], { env, extendEnv: false, reject: false });
  const refused = await start("run", "--env", "local", ...MODEL, "hello");
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toMatch(/^error: The workspace .+ does not exist\.\nhint: .+$/);
  await mkdir(folder);
  expect(await start("runs", "list")).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a state folder that cannot be written to: the error names the option for another one", async () => {
  const folder = await makeFolder({ file: "" });
  const words = ["run", ...MODEL, "--state", join(folder, "file"), "hello"];
  const { exitCode, stdout, stderr } = await switchyard(words, { env: KEY });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(/^error: .+ cannot be written: .+\nhint: .*choose another state folder \(`--state`/);
});

test("a state folder on a disk that is read-only", async ({ skip }) => {
  const state = await makeFolder();
  const mount = 'mount -t tmpfs -o ro none "$1" && shift && exec "$@"';
  const within = (...words: readonly string[]) =>
    execa("unshare", ["--mount", "sh", "-c", mount, "sh", state, ...words], { env: KEY, reject: false });
  skip((await within("true")).failed, "nothing may be mounted here");
  const refused = await within(process.execPath, BIN, "run", "--env", "local", ...MODEL, "--state", state, "hello");
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toMatch(/^error: .+ cannot be written: the disk is read-only\.\nhint: .+`--state`/);
});

test.for([
  ["by its option", ["--state", "/proc/runs"], {}],
  ["by a link", ["--state", "/dev/fd/runs"], {}],
  ["by a home, where no compiled code is kept either", [], { HOME: "/proc", XDG_CACHE_HOME: "/proc" }],
] as const)(
  "a state folder %s among the processes of the machine is refused, and not tried for ever",
  async ([_how, more, env], { skip }) => {
    skip(process.platform !== "linux", "tests Linux");
    const words = ["run", ...MODEL, ...more, "hello"];
    const { exitCode, stdout, stderr } = await switchyardProcess(words, { env: { ...KEY, ...env } });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/^error: .+ cannot be written: folders cannot be created there\.\nhint: .+`--state`/);
  },
);

test("an input that is missing, broken or invalid", async () => {
  const folder = await makeFolder({
    "broken.json": '{\n  "messages": [}',
    "invalid.json": '{"messages":[{"role":"user"}]}',
  });
  expect(await refusedRun([...MODEL, "--input", join(folder, "none.json")])).toContain(
    "none.json cannot be read: it does not exist",
  );
  expect(await refusedRun([...MODEL, "--input", folder])).toContain("cannot be read: it is a folder");
  const latin = join(folder, "latin.json");
  await writeFile(latin, Buffer.from('{"messages":[{"role":"user","content":"caf\u00e9"}]}', "latin1"));
  expect(await refusedRun([...MODEL, "--input", latin])).toContain("cannot be read: it is not UTF-8 text");
  expect(await refusedRun([...MODEL, "--input", join(folder, "broken.json")])).toContain("line 2, column 16");
  expect(await refusedRun([...MODEL, "--input", join(folder, "invalid.json")])).toContain("messages[0].content");
  expect(await refusedRun([...MODEL, "--input", "-"], { input: "[" })).toContain(
    "standard input is not valid JSON at line 1, column 2",
  );
});

test("no task at all, and two of them", async () => {
  const folder = await makeFolder({ "case.json": '{"messages":[{"role":"user","content":"hi"}]}' });
  expect(await refusedRun(MODEL)).toContain("No task was given");
  expect(await refusedRun([...MODEL, "--input", join(folder, "case.json"), "hello"])).toContain(
    "either a prompt or --input",
  );
});

test("an output that cannot be written is refused before the model is asked", async () => {
  const { baseUrl, requests } = await startLoopbackModel(answerError(500, "api_error"));
  const words = [...MODEL, "--base-url", baseUrl, "--output", "/nowhere/result.json", "hello"];
  expect(await refusedRun(words)).toContain("/nowhere/result.json cannot be written");
  expect(requests()).toBe(0);
});

const halfAStream: Misbehaviour = (response) => {
  beginAnswer(response);
  setImmediate(() => response.destroy());
};

test.each<[string, Misbehaviour, string]>([
  ["401", answerError(401, "authentication_error"), "Check ANTHROPIC_API_KEY"],
  ["404", answerError(404, "not_found_error"), "/v1/messages"],
  ["429", answerError(429, "rate_limit_error"), "because of a rate limit"],
  ["500", answerError(500, "api_error"), "HTTP 500"],
  ["half a stream", halfAStream, "was cut off"],
])(
  "a provider that answers %s ends the run with one sentence and a readable run folder",
  async (_name, answer, sentence) => {
    const { baseUrl } = await startLoopbackModel(answer);
    const state = await makeFolder();
    const typed = ["--base-url", baseUrl, "--state", state, "--output", "result.json", "--retry-for", "0"];
    const words = ["run", ...MODEL, ...typed, "hello"];
    const cwd = await makeFolder();
    const { exitCode, stdout, stderr } = await switchyard(words, { env: KEY, cwd });
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^error: .+\nhint: .+$/);
    expect(stderr).toContain(sentence);
    expect(stdout).not.toMatch(/[^.!?] Retrying/);
    expect(stdout + stderr).not.toMatch(STACK);
    expect(stdout + stderr).not.toContain(KEY.ANTHROPIC_API_KEY);
    await expectReadableRun(state, "error");
    expect(JSON.parse(await readFile(join(cwd, "result.json"), "utf8"))).toMatchObject({ exit_code: 1 });
  },
);

test("--debug prints stacks without any key", async () => {
  const folder = await makeFolder({ [KEY.ANTHROPIC_API_KEY]: "{" });
  const words = ["run", ...MODEL, "--debug", "--input", join(folder, KEY.ANTHROPIC_API_KEY)];
  const { stderr } = await switchyard(words, { env: KEY });
  expect(stderr).toMatch(STACK);
  expect(stderr.split("\nerror: ")[0]).not.toContain(KEY.ANTHROPIC_API_KEY);
  expect(stderr).toContain("***REDACTED***");
});

test("--debug prints the stack of the run's error, without any key", async () => {
  const { baseUrl } = await startLoopbackModel((response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: `bad key ${KEY.ANTHROPIC_API_KEY}` } }));
  });
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--debug", "hello"];
  const { exitCode, stderr } = await switchyard([...words, "--state", await makeFolder()], { env: KEY });
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(STACK);
  expect(stderr).toContain("EngineError: anthropic rejected the API key");
  expect(stderr).not.toContain(KEY.ANTHROPIC_API_KEY);
});

async function expectReadableRun(state: string, status: string): Promise<void> {
  const [id = ""] = await readdir(join(state, "runs"));
  const shown = await switchyard(["runs", "show", id.slice(0, 12), "--json", "--state", state]);
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(shown.stdout)).toMatchObject({ record: { run_id: id, status } });
}
