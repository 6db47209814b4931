import { chmod, lstat, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isEnvelope } from "@switchyard/contracts/schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { execa } from "execa";
import { expect, test } from "vitest";
import { answerCall, beginAnswer, endAnswer, startLoopbackModel } from "./loopback-model.ts";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

async function modelWords(...answers: Parameters<typeof startMockModel>[1]): Promise<string[]> {
  const { baseUrl } = await startMockModel("anthropic", answers);
  return ["run", "--model", "anthropic/test-model", "--base-url", baseUrl];
}

async function schemaErrors(name: string, value: unknown): Promise<unknown[]> {
  const path = resolve(import.meta.dirname, `../../../packages/contracts/json-schemas/${name}.schema.json`);
  const validate = new Ajv2020({ allErrors: true }).compile(JSON.parse(await readFile(path, "utf8")));
  return validate(value) ? [] : (validate.errors ?? []);
}

test("--events jsonl prints each event as it happens, and the result as the last line", async () => {
  let finish: () => void = () => {};
  const { baseUrl } = await startLoopbackModel((response) => {
    beginAnswer(response);
    finish = () => endAnswer(response, "wer");
  });
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--events", "jsonl", "hello"];
  const { command } = await startSwitchyard(words, { env: KEY });
  // The model continues only after its first text was printed. Buffered output would block the test.
  command.stdout?.on("data", (chunk) => {
    if (String(chunk).includes("Half an")) finish();
  });
  const { exitCode, stdout, stderr } = await command;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const lines: unknown[] = String(stdout)
    .split("\n")
    .map((line) => JSON.parse(line));
  const last = lines.pop();
  expect(lines.every(isEnvelope)).toBe(true);
  expect(lines.map((line) => Object(line).type)).toEqual(
    expect.arrayContaining(["run_start", "assistant_text_delta", "run_end"]),
  );
  expect(last).toMatchObject({ type: "session_result", result: { exit_code: 0, final_message: "Half an answer" } });
  expect(await schemaErrors("session-result", Object(last).result)).toEqual([]);
  expect(await schemaErrors("session-report", Object(last).report)).toEqual([]);
  expect(Object(last).report).not.toHaveProperty("result");
});

test("--json prints only the report", async () => {
  const { exitCode, stdout, stderr } = await switchyard([...(await modelWords("Done.")), "--json", "hello"], {
    env: KEY,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const report: unknown = JSON.parse(stdout);
  expect(report).toMatchObject({ status: "completed", result: { final_message: "Done." } });
  expect(await schemaErrors("session-report", report)).toEqual([]);
});

test("with --json, an error that prevents the start is JSON too", async () => {
  const { exitCode, stdout, stderr } = await switchyard(["run", "--json", "--model", "openai/m", "hello"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("error: No API key was found");
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: "model.missing_key", remedy: expect.any(String) } });
});

test("the prompt may come from a pipe", async () => {
  const { mock, baseUrl } = await startMockModel("anthropic", ["Done."]);
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl];
  expect(await switchyard(words, { env: KEY, input: "Explain this\nproject\n" })).toMatchObject({ exitCode: 0 });
  expect(JSON.stringify(mock.getLastRequest()?.body)).toContain("Explain this\\nproject");
});

test("with -, piped input is appended to the prompt; without -, the program does not wait for a pipe", async () => {
  const { mock, baseUrl } = await startMockModel("anthropic", ["Done.", "Done.", "Done."]);
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl];
  const asked = () => JSON.stringify(mock.getLastRequest()?.body);
  const input = "--- a/x\n+++ b/x\n";
  expect(await switchyard([...words, "Review", "this:", "-"], { env: KEY, input })).toMatchObject({ exitCode: 0 });
  expect(asked()).toContain("Review this:\\n\\n--- a/x\\n+++ b/x");
  expect(await switchyard([...words, "-"], { env: KEY, input: "Only this" })).toMatchObject({ exitCode: 0 });
  expect(asked()).toContain('"Only this"');
  expect(await switchyard([...words, "Review that."], { env: KEY, input })).toMatchObject({ exitCode: 0 });
  expect(asked()).not.toContain("a/x");
  const nothing = await switchyard([...words, "-"], { env: KEY, input: " \n" });
  expect(nothing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("No task was given") });
  const both = await switchyard([...words, "--input", "task.json", "-"], { env: KEY, input });
  expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("not both") });
});

test("a SessionInput names model and workspace, options win, and its whole conversation is sent", async () => {
  const { mock, baseUrl } = await startMockModel("anthropic", [
    { name: "write_file", arguments: { file_path: "made.txt", content: "x" } },
    "Done.",
  ]);
  const workspace = await makeFolder();
  const messages = [
    { role: "user", content: "first question" },
    { role: "assistant", content: "first answer" },
    { role: "user", content: "second question" },
  ];
  const input = JSON.stringify({ messages, workspace, model: "anthropic/from-the-file" });
  const words = ["run", "--input", "-", "--base-url", baseUrl, "--model", "anthropic/from-the-option"];
  expect(await switchyard(words, { env: KEY, input })).toMatchObject({ exitCode: 0 });
  expect(await readdir(workspace)).toEqual(["made.txt"]);
  const body = JSON.stringify(mock.getRequests()[0]?.body);
  for (const text of ["first question", "first answer", "second question", "from-the-option"])
    expect(body).toContain(text);
});

test("a task that reaches its limit has failed: exit code 1, and the result says so", async () => {
  const words = await modelWords({ name: "shell", arguments: { command: "true" } });
  const cwd = await makeFolder();
  const { exitCode } = await switchyard([...words, "--max-turns", "1", "--output", "result.json", "hello"], {
    cwd,
    env: KEY,
  });
  expect(exitCode).toBe(1);
  expect(JSON.parse(await readFile(join(cwd, "result.json"), "utf8"))).toMatchObject({ exit_code: 1 });
  expect(await readdir(cwd)).toEqual(["result.json"]);
});

test("a task that takes too long is stopped: exit code 3", async () => {
  const { baseUrl } = await startLoopbackModel(() => {});
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--timeout", "0.3", "hello"];
  const { exitCode, stderr } = await switchyard(words, { env: KEY });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 3,
    stderr: expect.stringContaining("error: The run did not finish within 300 ms."),
  });
});

test("a custom server is asked without a key", async () => {
  expect(await switchyard([...(await modelWords("Done.")), "hello"])).toMatchObject({ exitCode: 0, stderr: "" });
});

test("the end names the changes and the run folder, and the run is listed", async () => {
  const cwd = await makeFolder({ "a.txt": "one\n" });
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    ["-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qm", "x"],
  ]) {
    await execa("git", words, { cwd });
  }
  const words = await modelWords(
    { name: "write_file", arguments: { file_path: "a.txt", content: "two\nthree\n" } },
    "Done.",
  );
  const state = await makeFolder();
  const { exitCode, stdout } = await switchyard([...words, "--state", state, "change it"], { cwd, env: KEY });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/Completed in .*\nChanges:\n {2}a\.txt {2}\+2 -1\nRun folder: /);
  const [id = ""] = await readdir(join(state, "runs"));
  expect(stdout).toContain(join(state, "runs", id));
  const list = await switchyard(["runs", "list", "--state", state]);
  expect(list.stdout).toMatch(new RegExp(`^${id} +completed +.* agent +.*anthropic/test-model +change it$`, "m"));
  expect((await switchyard(["runs", "show", id.slice(0, 10), "--state", state])).stdout).toContain("a.txt  +2 -1");
  expect(await switchyard(["runs", "show", "zzz", "--state", state])).toMatchObject({ exitCode: 2 });
});

test("an API key is in no output and in no stored file that others may read", async () => {
  const words = await modelWords(
    { name: "shell", arguments: { command: `echo the key is ${KEY.ANTHROPIC_API_KEY}` } },
    "Done.",
  );
  const state = await makeFolder();
  const { stdout, stderr } = await switchyard([...words, "--state", state, "--events", "jsonl", "--debug", "hello"], {
    env: KEY,
  });
  // Checkpoints are excluded: they contain all data needed to resume, and only their owner can read them.
  const search = ["-rc", "--exclude-dir=checkpoints", KEY.ANTHROPIC_API_KEY, state];
  const stored = (await execa("grep", search, { reject: false })).stdout;
  expect(stdout + stderr).not.toContain(KEY.ANTHROPIC_API_KEY);
  expect(stdout).toContain("the key is ***REDACTED***");
  expect(stored.split("\n").every((line) => line.endsWith(":0"))).toBe(true);
});

test("if the reader closes the output pipe, the run is interrupted without an error", async () => {
  const { baseUrl } = await startLoopbackModel(beginAnswer);
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--events", "jsonl", "hello"];
  const { command } = await startSwitchyard(words, { env: KEY });
  command.stdout?.once("data", () => command.stdout?.destroy());
  const { exitCode, stderr } = await command;
  expect(exitCode).toBe(130);
  expect(stderr).toMatch(/^error: The run was interrupted\.\nhint: .*$/);
});

test("--output follows a link and keeps the mode of an existing file", async () => {
  const cwd = await makeFolder({ "real.json": "old" });
  await chmod(join(cwd, "real.json"), 0o640);
  await symlink("real.json", join(cwd, "link.json"));
  const { exitCode } = await switchyard([...(await modelWords("Done.")), "--output", "link.json", "hello"], {
    env: KEY,
    cwd,
  });
  expect(exitCode).toBe(0);
  expect((await lstat(join(cwd, "link.json"))).isSymbolicLink()).toBe(true);
  expect((await stat(join(cwd, "real.json"))).mode & 0o777).toBe(0o640);
  expect(JSON.parse(await readFile(join(cwd, "real.json"), "utf8"))).toMatchObject({ final_message: "Done." });
});

test("--output writes into a pipe and never replaces it by a file", async () => {
  const cwd = await makeFolder();
  const pipe = join(cwd, "pipe");
  await execa("mkfifo", [pipe]);
  const reader = execa("cat", [pipe]);
  const { exitCode, stderr } = await switchyard([...(await modelWords("Done.")), "--output", pipe, "hello"], {
    env: KEY,
    cwd,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(JSON.parse(String((await reader).stdout))).toMatchObject({ final_message: "Done." });
  expect((await lstat(pipe)).isFIFO()).toBe(true);
});

test("arguments of a hundred thousand levels are refused, shown as a call, and do not crash the run", async () => {
  const deep = `{"more":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  let answers = 0;
  const { baseUrl, bodies } = await startLoopbackModel((response, request) => {
    answers += 1;
    if (answers === 1) {
      answerCall("shell", deep)(response, request);
      return;
    }
    beginAnswer(response);
    endAnswer(response, "wer");
  });
  const cwd = await makeFolder();
  const state = join(cwd, "state");
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "hello"];
  const ran = await switchyard(words, { cwd, env: KEY });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ran.stdout).toContain("nested deeper than 64 levels");
  expect(ran.stdout).toContain("Half an answer");
  expect(bodies[1]).toContain("invalid_arguments");
  const [run = ""] = await readdir(join(state, "runs"));
  const shown = await switchyard(["runs", "events", run, "--state", state], { cwd });
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  expect(shown.stdout).toContain("→ shell …");
});

test("runs export --format html writes one page with the conversation and without the API key", async () => {
  const words = await modelWords(
    { name: "shell", arguments: { command: `echo "the key is ${KEY.ANTHROPIC_API_KEY} <b>"` } },
    "**Done** <script>alert(1)</script>",
  );
  const cwd = await makeFolder();
  const state = await makeFolder();
  expect(await switchyard([...words, "--state", state, "do it"], { cwd, env: KEY })).toMatchObject({ exitCode: 0 });
  const [id = ""] = await readdir(join(state, "runs"));
  const html = ["runs", "export", id, "--state", state, "--format", "html"];
  const written = await switchyard([...html, "--output", "run.html"], { cwd });
  expect(written).toMatchObject({ exitCode: 0, stdout: `Wrote ${join(cwd, "run.html")}` });
  const page = await readFile(join(cwd, "run.html"), "utf8");
  for (const part of ["do it", "<strong>Done</strong>", "shell", "anthropic/test-model", "***REDACTED***"])
    expect(page).toContain(part);
  expect(page).not.toContain(KEY.ANTHROPIC_API_KEY);
  expect(page).not.toMatch(/<script/i);
  expect((await switchyard(html)).stdout).toBe(page.trimEnd());
  expect(JSON.parse((await switchyard(["runs", "export", id, "--state", state])).stdout).run_id).toBe(id);
});
