import { existsSync, readdirSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { beginAnswer, endAnswer, startLoopbackModel } from "./loopback-model.ts";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { BIN, makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
const HELD = "echo begun >> effects.txt; while [ -e hold ]; do sleep 0.05; done";

interface Killed {
  state: string;
  cwd: string;
  id: string;
  /** Run folder. */
  folder: string;
}

/** Creates a run whose process was killed during a tool call. */
async function killedInTool(...rest: readonly MockAnswer[]): Promise<Killed> {
  const { baseUrl } = await startMockModel("anthropic", [{ name: "shell", arguments: { command: HELD } }, ...rest]);
  const state = await makeFolder();
  const cwd = await makeFolder({ hold: "" });
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "Do", "it."];
  const { command } = await startSwitchyard(words, { env: KEY, cwd });
  await until(() => existsSync(join(cwd, "effects.txt")));
  command.kill("SIGKILL");
  expect((await command).signal).toBe("SIGKILL");
  // The shell that the killed process left running ends when the file is removed.
  await rm(join(cwd, "hold"));
  const [id = ""] = await readdir(join(state, "runs"));
  return { state, cwd, id, folder: join(state, "runs", id) };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function eventsIn(folder: string): Promise<{ seq: number; type: string; attempt: number; payload: unknown }[]> {
  const text = await readFile(join(folder, "events.jsonl"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("a run that is killed in the middle of a tool call is resumed by a fresh process [D1] [D5] [D7] [D8] [D14]", async () => {
  const write: MockAnswer = { name: "write_file", arguments: { file_path: "made.txt", content: "made\n" } };
  const { state, cwd, id, folder } = await killedInTool(write, "All is done.");

  const listed = await switchyard(["runs", "list", "--state", state]);
  expect(listed.stdout).toMatch(new RegExp(`^${id} +running \\(cut off\\) `, "m"));
  expect(listed.stdout).toContain(`1 run was cut off. Resume it: switchyard resume ${id} --state ${state}`);
  const shown = await switchyard(["runs", "show", id, "--state", state]);
  expect(shown.stdout).toContain(`Resume:     switchyard resume ${id} --state ${state}`);

  const resumed = await switchyard(["resume", id.slice(0, 12), "--state", state], { env: KEY });
  expect(resumed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(resumed.stdout).toContain(`Resuming ${id} (attempt 2): Do it.`);
  expect(resumed.stdout).toContain("All is done.");
  expect(await readFile(join(cwd, "effects.txt"), "utf8")).toBe("begun\n");
  expect(await readFile(join(cwd, "made.txt"), "utf8")).toBe("made\n");

  const events = await eventsIn(folder);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ type }) => type === "run_end").map(({ attempt }) => attempt)).toEqual([2]);
  const usages = events.filter(({ type }) => type === "usage_reported").map(({ payload }) => Object(payload));
  expect(new Set(usages.map(({ response_id }) => response_id)).size).toBe(3);
  const report: unknown = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
  expect(report).toMatchObject({ status: "completed", usage: { inputTokens: 30, outputTokens: 15, totalTokens: 45 } });
  const record: unknown = JSON.parse(await readFile(join(folder, "run.json"), "utf8"));
  expect(record).toMatchObject({ status: "completed", attempt: 2 });

  const again = await switchyard(["resume", id, "--state", state], { env: KEY });
  expect(again).toMatchObject({ exitCode: 2, stdout: "" });
  expect(again.stderr).toMatch(/^error: The run \w+ has already ended\.\nhint: .+$/);
});

test("of two processes that resume a run, one continues, and the other says why it cannot [D6]", async () => {
  let answer: () => void = () => {};
  const { state, id } = await killedInTool();
  const { baseUrl, requests } = await startLoopbackModel((response) => {
    answer = () => {
      beginAnswer(response);
      endAnswer(response, "wer");
    };
  });
  const words = ["resume", id, "--state", state, "--base-url", baseUrl, "--json"];
  const started = await Promise.all([startSwitchyard(words, { env: KEY }), startSwitchyard(words, { env: KEY })]);
  const ends = started.map(({ command }) => command);
  const first = await Promise.race(ends);
  await until(() => requests() > 0);
  expect(first.exitCode).toBe(2);
  expect(first.stderr).toMatch(/^error: Another process is working on the run \w+ .*\nhint: .*--take-over.*$/);
  expect(JSON.parse(String(first.stdout))).toMatchObject({ error: { code: "run.leased" } });
  answer();
  const codes = (await Promise.all(ends)).map(({ exitCode }) => exitCode);
  expect(codes.sort()).toEqual([0, 2]);
  expect(requests()).toBe(1);
});

test("a resume prints for programs the same output as a run, from the first new event on", async () => {
  const { state, id, folder } = await killedInTool("Done.");
  const before = (await eventsIn(folder)).length;
  const words = ["resume", id, "--state", state, "--events", "jsonl", "--output", "result.json"];
  const cwd = await makeFolder();
  const { exitCode, stdout, stderr } = await switchyard(words, { env: KEY, cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const lines = stdout.split("\n").map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ type: "run_start", seq: before + 1, attempt: 2, payload: { resumed: true } });
  expect(lines.at(-1)).toMatchObject({ type: "session_result", result: { exit_code: 0 }, report: { runId: id } });
  expect(JSON.parse(await readFile(join(cwd, "result.json"), "utf8"))).toMatchObject({ final_message: "Done." });
});

test("a damaged checkpoint is an error that names its file, and nothing is started again [D3]", async () => {
  const { state, id, folder, cwd } = await killedInTool("Done.");
  const [name = ""] = await readdir(join(folder, "checkpoints"));
  const path = join(folder, "checkpoints", name);
  const whole = await readFile(path);
  await writeFile(path, Buffer.concat([Buffer.alloc(40), whole.subarray(40)]));
  const [record, events] = [await readFile(join(folder, "run.json"), "utf8"), (await eventsIn(folder)).length];

  const refused = await switchyard(["resume", id, "--state", state], { env: KEY });
  expect(refused).toMatchObject({ exitCode: 3, stdout: "" });
  expect(refused.stderr).toContain(`error: The checkpoint ${path} is damaged`);
  expect(await readFile(join(folder, "run.json"), "utf8")).toBe(record);
  expect(await eventsIn(folder)).toHaveLength(events);
  expect(await readFile(join(cwd, "effects.txt"), "utf8")).toBe("begun\n");

  await writeFile(path, whole);
  expect(await switchyard(["resume", id, "--state", state], { env: KEY })).toMatchObject({ exitCode: 0 });
});

test("SIGTERM ends a run with a message that says how to resume it, and the run resumes", async () => {
  const { baseUrl } = await startMockModel("anthropic", [{ name: "shell", arguments: { command: HELD } }, "Done."]);
  const state = await makeFolder();
  const cwd = await makeFolder({ hold: "" });
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "Do it."];
  const { command } = await startSwitchyard(words, { env: KEY, cwd });
  await until(() => existsSync(join(cwd, "effects.txt")));
  command.kill("SIGTERM");
  const { exitCode, stdout, stderr } = await command;
  const [id = ""] = await readdir(join(state, "runs"));
  expect(exitCode).toBe(143);
  expect(stdout).not.toContain("switchyard resume");
  expect(stderr).toContain(`Resume with \`switchyard resume ${id} --state ${state}\``);
  expect(stderr).toMatch(
    /^error: The run was interrupted\.\nhint: Nothing was lost. Resume with `switchyard resume .*`\.$/,
  );
  expect(await switchyard(["resume", id, "--state", state], { env: KEY })).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a run stopped by a full disk resumes when there is space again [D1]", async () => {
  const flood = { name: "shell", arguments: { command: "head -c 200000 /dev/zero | tr '\\0' x" } };
  const { baseUrl } = await startMockModel("anthropic", [flood, "Done."]);
  const state = await makeFolder();
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "--json", "Do it."];
  // The file size limit is in blocks of 1,024 bytes. Writes beyond it fail.
  const limited = ["-c", 'ulimit -f 100; exec "$@"', "bash", process.execPath, BIN, ...words];
  const env = { PATH: process.env["PATH"] ?? "", HOME: await makeFolder(), SWITCHYARD_ENV: "local", ...KEY };
  const full = await execa("bash", limited, {
    env,
    extendEnv: false,
    reject: false,
    cwd: await makeFolder(),
    input: "",
  });
  expect(full.exitCode).toBe(3);
  expect(full.stderr).toMatch(/^error: \/.* cannot be written: .*\nhint: Free disk space/);
  const [id = ""] = await readdir(join(state, "runs"));
  const resumed = await switchyard(["resume", id, "--state", state, "--json"], { env: KEY });
  expect(resumed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(resumed.stdout)).toMatchObject({ status: "completed", result: { final_message: "Done." } });
});

test("a run whose workspace was moved resumes there", async () => {
  const write: MockAnswer = { name: "write_file", arguments: { file_path: "made.txt", content: "made\n" } };
  const { state, cwd, id } = await killedInTool(write, "Done.");
  const moved = join(await makeFolder(), "moved");
  await rename(cwd, moved);
  const gone = await switchyard(["resume", id, "--state", state], { env: KEY });
  expect(gone).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("does not exist") });
  const resumed = await switchyard(["resume", id, "--state", state, "--workspace", moved], { env: KEY });
  expect(resumed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await readFile(join(moved, "made.txt"), "utf8")).toBe("made\n");
});

test("a run that cannot be resumed is reported before a key is asked for", async () => {
  const state = await makeFolder();
  const unknown = await switchyard(["resume", "zzz", "--state", state]);
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("There is no run zzz in") });
  const demo = await switchyard(["demo", "--state", state]);
  expect(demo.exitCode).toBe(0);
  const [id = ""] = await readdir(join(state, "runs"));
  const over = await switchyard(["resume", id, "--state", state, "--json"]);
  expect(over.exitCode).toBe(2);
  expect(over.stderr).toContain(`Read its result with \`switchyard runs show ${id} --state ${state}\``);
  expect(JSON.parse(over.stdout)).toMatchObject({ error: { code: "run.finished" } });
});

test("an id that matches no run or several is refused with what to write instead", async () => {
  const { baseUrl } = await startMockModel("anthropic", ["One.", "Two."]);
  const state = await makeFolder();
  for (const task of ["One?", "Two?"]) {
    await switchyard(["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, task], { env: KEY });
  }
  const unknown = await switchyard(["runs", "show", "zzz", `--state=${state}`]);
  expect(unknown.stderr).toContain(`\`switchyard runs list --state ${state}\``);
  const empty = await switchyard(["resume", "", "--state", state]);
  expect(empty).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^error: The run id is empty\./) });
  const several = await switchyard(["resume", "01", "--state", state]);
  expect(several.exitCode).toBe(2);
  expect(several.stderr).toMatch(/^error: 01 matches 2 runs\. Give more characters: \w+, \w+\.\n/);
});

test("a state folder that cannot be read is reported as unreadable, not as damaged", async () => {
  const folder = await makeFolder({ state: "" });
  for (const words of [
    ["runs", "list"],
    ["resume", "01"],
  ]) {
    const { exitCode, stderr } = await switchyard([...words, "--state", join(folder, "state")]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^error: \/.* cannot be read: not a directory \(ENOTDIR\)\.\nhint: Check its type and permissions/,
    );
  }
});

test("a terminal without a size gets whole lines", async ({ skip }) => {
  skip((await execa("script", ["--version"], { reject: false })).failed, "needs `script` for a terminal");
  const { baseUrl } = await startMockModel("anthropic", ["Done."]);
  const state = await makeFolder();
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "Wide."];
  await switchyard(words, { env: KEY });
  const list = `stty cols 0; '${process.execPath}' '${BIN}' runs list --state '${state}'`;
  const { stdout } = await execa("script", ["-qec", list, "/dev/null"], { input: "" });
  expect(stdout).toMatch(/RUN +AGE +STATUS/);
});

test("an interrupted demo is listed without advice to resume it", async () => {
  const state = await makeFolder();
  const { command } = await startSwitchyard(["demo", "--state", state]);
  await until(
    () => existsSync(join(state, "runs")) && readdirSync(join(state, "runs")).some((name) => !name.startsWith(".")),
  );
  command.kill("SIGKILL");
  await command;
  const listed = await switchyard(["runs", "list", "--state", state]);
  expect(listed.stdout).toContain("running (cut off)");
  expect(listed.stdout).not.toContain("switchyard resume");
  const [id = ""] = (await readdir(join(state, "runs"))).filter((name) => !name.startsWith("."));
  expect((await switchyard(["runs", "show", id, "--state", state])).stdout).not.toContain("switchyard resume");
});
