import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { answerCall, beginAnswer, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";
import { noTerminal, startOnTerminal } from "./terminal.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
const SLEEP = "sleep 600.125";

interface Interrupted {
  exitCode: number | undefined;
  stderr: string;
  status: unknown;
  eventTypes: string[];
}

/**
 * Runs the command, and sends signals when its event output contains a text. Resolves with the result and stored data.
 */
async function interruptAt(marker: string, answer: Misbehaviour, signals = 1): Promise<Interrupted> {
  const { baseUrl } = await startLoopbackModel(answer);
  const state = await makeFolder();
  const words = [
    "run",
    "--model",
    "anthropic/m",
    "--base-url",
    baseUrl,
    "--state",
    state,
    "--events",
    "jsonl",
    "hello",
  ];
  const { command } = await startSwitchyard(words, { env: KEY });
  let seen = "";
  command.stdout?.on("data", (chunk) => {
    const before = seen.includes(marker);
    seen += String(chunk);
    if (before || !seen.includes(marker)) return;
    for (let sent = 0; sent < signals; sent++) command.kill("SIGINT");
  });
  const { exitCode, stderr } = await command;
  const [id = ""] = await readdir(join(state, "runs"));
  const shown = await switchyard(["runs", "show", id, "--json", "--state", state]);
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  const events = await readFile(join(state, "runs", id, "events.jsonl"), "utf8");
  const eventTypes = events
    .trim()
    .split("\n")
    .map((line) => String(Object(JSON.parse(line)).type));
  return {
    exitCode,
    stderr: String(stderr),
    status: Object(Object(JSON.parse(shown.stdout)).record).status,
    eventTypes,
  };
}

async function isRunning(commandLine: string): Promise<boolean> {
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(processes.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return lines.some((line) => line.replaceAll("\0", " ").includes(commandLine));
}

const neverAnswer: Misbehaviour = () => {};

test.each<[string, string, Misbehaviour]>([
  ["before the first token", '"user_input"', neverAnswer],
  ["in the middle of an answer", "Half an", beginAnswer],
  ["in the middle of a tool", '"tool_call_start"', answerCall("shell", { command: SLEEP, timeout_ms: 600_000 })],
])("Ctrl-C %s ends the run cleanly", async (_moment, marker, answer) => {
  const { exitCode, stderr, status, eventTypes } = await interruptAt(marker, answer);
  expect(stderr).toMatch(/^error: The run was interrupted.*\nhint: .+$/);
  expect({ exitCode, status, last: eventTypes.at(-1) }).toMatchObject({ exitCode: 130, status: "interrupted" });
  expect(eventTypes).toContain("run_end");
  await delay(50);
  expect(await isRunning(SLEEP)).toBe(false);
});

test("Ctrl-C twice stops at once", async () => {
  const answer = answerCall("shell", { command: `trap '' INT TERM; ${SLEEP}`, timeout_ms: 600_000 });
  const startedAt = Date.now();
  const { exitCode } = await interruptAt('"tool_call_start"', answer, 2);
  expect(exitCode).toBe(130);
  expect(Date.now() - startedAt).toBeLessThan(60_000);
  expect(await isRunning(SLEEP)).toBe(false);
});

const without = await noTerminal();

test.for<[string, string, Misbehaviour]>([
  ["an answer", "Half an", beginAnswer],
  ["a tool", "sleep 600", answerCall("shell", { command: SLEEP, timeout_ms: 600_000 })],
])("a terminal that is closed in the middle of %s ends the run cleanly", async ([, marker, answer], { skip }) => {
  skip(without !== undefined, without);
  const { baseUrl } = await startLoopbackModel(answer);
  const state = await makeFolder();
  const exitCodeFile = join(await makeFolder(), "exit-code");
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "--mode", "auto", "hello"];
  const terminal = await startOnTerminal(words, { env: KEY, exitCodeFile });
  await terminal.until(marker);
  terminal.hangUp();
  await expect.poll(() => readFile(exitCodeFile, "utf8").catch(() => "")).toBe("130\n");
  const [id = ""] = await readdir(join(state, "runs"));
  const shown = await switchyard(["runs", "show", id, "--json", "--state", state]);
  expect(JSON.parse(shown.stdout)).toMatchObject({ record: { status: "interrupted" } });
  expect(await isRunning(SLEEP)).toBe(false);
});

test("a run stopped in the middle of a call that may not be repeated is not offered for resume: a new run is", async ({
  skip,
}) => {
  skip(process.env["SWITCHYARD_ALWAYS_RESUME"] !== undefined, "the test stops runs itself");
  const call = "echo begun > begun.txt; sleep 600.25";
  const cwd = await makeFolder({
    "engine.json": JSON.stringify({
      engine: { name: "own", custom: { transport: "local", local: { command: "sh", args: ["-c", call] } } },
    }),
  });
  const { command } = await startSwitchyard(["run", "--engine", "./engine.json", "--state", "state", "Go."], { cwd });
  while (!existsSync(join(cwd, "begun.txt"))) await new Promise((resolve) => setTimeout(resolve, 10));
  command.kill("SIGINT");
  const { exitCode, stderr } = await command;
  const refusal = "Call 1 of the engine own was interrupted, and its outcome is unknown.";
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 130,
    stderr: expect.stringMatching(/^error: The run was interrupted\.\nhint: .+$/),
  });
  expect(stderr).toContain(`${refusal} Check the workspace and start a new run`);
  expect(stderr).not.toContain("switchyard resume");
  const [id = ""] = await readdir(join(cwd, "state/runs"));
  const shown = await switchyard(["runs", "show", id, "--state", "state"], { cwd });
  expect(shown.stdout).toContain("interrupted");
  expect(shown.stdout).not.toContain("switchyard resume");
  const resumed = await switchyard(["resume", id, "--state", "state"], { cwd });
  expect(resumed).toMatchObject({ exitCode: 3, stdout: "", stderr: expect.stringContaining(refusal) });
});
