import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EXIT_CODES } from "@switchyard/contracts";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { BIN, makeFolder, SHARED_CACHE, startSwitchyard, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
const HELD = "echo begun >> effects.txt; while [ -e hold ]; do sleep 0.05; done";
const WRITE = ["--profile", "anthropic", "--args", '{"file_path":"made.txt","content":"x"}', "--json"];
const codes = new Set<number>();

/** Returns the configuration of an engine that runs a line of shell. */
function engineOf(line: string): string {
  const local = { command: "sh", args: ["-c", line] };
  return JSON.stringify({
    engine: { name: "one-line", custom: { transport: "local", response_format: "text", local } },
  });
}

/** Asserts an exit code and records it as tested. */
function expectCode(exitCode: number | undefined, code: number): void {
  expect(exitCode).toBe(code);
  codes.add(code);
}

async function modelWords(...answers: MockAnswer[]): Promise<string[]> {
  const { baseUrl } = await startMockModel("anthropic", answers);
  return ["--model", "anthropic/m", "--base-url", baseUrl];
}

/** Runs the command in a shell with standard output redirected. */
async function shell(words: readonly string[], { into, cwd }: { into: string; cwd: string }) {
  const script = `"$0" "$@" ${into}; exit "\${PIPESTATUS:-$?}"`;
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, SWITCHYARD_ENV: "local", ...SHARED_CACHE, ...KEY };
  const options = { env, extendEnv: false, reject: false, input: "", cwd };
  const { exitCode, stderr } = await execa("bash", ["-c", script, process.execPath, BIN, ...words], options);
  return { exitCode, stderr };
}

/** Returns the stored result of the only run in a state folder. */
async function storedResult(state: string): Promise<unknown> {
  const [id = ""] = await readdir(join(state, "runs"));
  return JSON.parse(await readFile(join(state, "runs", id, "report.json"), "utf8"));
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test("0: done", async () => {
  const { exitCode } = await switchyard(["run", ...(await modelWords("Done.")), "hello"], { env: KEY });
  expectCode(exitCode, 0);
});

test("1: the outcome is negative", async () => {
  const folder = await makeFolder({ "engine.yaml": engineOf("exit 3") });
  const failed = await switchyard(["run", "--engine", "engine.yaml", "hello"], { cwd: folder });
  expectCode(failed.exitCode, 1);
  const tool = await switchyard(
    ["tools", "call", "read_file", "--profile", "anthropic", "--args", '{"file_path":"none"}'],
    { cwd: folder },
  );
  expectCode(tool.exitCode, 1);
});

describe("2: nothing was started", () => {
  const STATE = ["run --model anthropic/m hello", "resume 01JD", "demo", "undo 01JD", "replay 01JD", "runs list"];

  test.each([...STATE, "serve --model anthropic/m --port 0", "runs fork 01JD"])(
    "%s with a state folder that cannot be used",
    async (words) => {
      const folder = await makeFolder({ file: "" });
      for (const state of ["/proc/none", join(folder, "file"), join(folder, "file", "below")]) {
        const { exitCode, stderr } = await switchyard([...words.split(" "), "--state", state], {
          env: KEY,
          cwd: folder,
        });
        expectCode(exitCode, 2);
        expect(stderr).toMatch(/^error: /mu);
      }
    },
  );

  test.each(["run --no-such-option", "no-such-command", "run --model nobody/m hello", "eval none.yaml"])(
    "usage and configuration: %s",
    async (words) => expectCode((await switchyard(words.split(" "), { env: KEY })).exitCode, 2),
  );

  test("a command that is refused: a run that is over is not resumed", async () => {
    const state = await makeFolder();
    await switchyard(["run", ...(await modelWords("Done.")), "--state", state, "hello"], { env: KEY });
    const [id = ""] = await readdir(join(state, "runs"));
    expectCode((await switchyard(["resume", id, "--state", state], { env: KEY })).exitCode, 2);
  });

  test("an output that cannot be written is found before the run", async () => {
    const cwd = await makeFolder();
    const words = ["run", ...(await modelWords("Done.")), "--output", "none/result.json", "--state", "state", "hello"];
    expectCode((await switchyard(words, { env: KEY, cwd })).exitCode, 2);
    expect(existsSync(join(cwd, "state", "runs"))).toBe(false);
  });
});

describe("2: this machine lacks the environment", () => {
  const CASES = JSON.stringify({
    name: "none",
    engines: [
      { name: "one-line", custom: { transport: "local", response_format: "text", local: { command: "true" } } },
    ],
    cases: [{ id: "one", prompt: "hello" }],
  });

  test.each([
    ["run", "--engine", "engine.yaml", "hello"],
    ["eval", "eval.yaml"],
  ])("%s", async (...words) => {
    const cwd = await makeFolder({ "engine.yaml": engineOf("true"), "eval.yaml": CASES });
    const env = { PATH: "/nonexistent" };
    const { exitCode, stderr } = await switchyard([...words, "--env", "docker:none", "--state", "state"], { cwd, env });
    expect(stderr).toContain("docker or podman is not on the PATH");
    expectCode(exitCode, 2);
    expect(existsSync(join(cwd, "state", "runs"))).toBe(false);
  });
});

test("3: a provider that fails makes the work incomplete", async () => {
  const words = ["run", "--model", "anthropic/m", "--base-url", "http://127.0.0.1:9", "--retry-for", "0", "hello"];
  const { exitCode, stderr } = await switchyard(words, { env: KEY });
  // Earlier releases report that the option `--retry-for` is unknown.
  if (stderr.includes("--retry-for")) words.splice(words.indexOf("--retry-for"), 2);
  expectCode(stderr.includes("--retry-for") ? (await switchyard(words, { env: KEY })).exitCode : exitCode, 3);
});

describe("4: the work was done and its output is lost", () => {
  const LOST = /^error: The work was done, but its output cannot be written to .+: .+\nhint: .+/mu;

  test("the file of --output is on a full disk", async () => {
    const [cwd, state] = [await makeFolder(), await makeFolder()];
    for (const more of [[], ["--json"]]) {
      const words = [
        "run",
        ...(await modelWords("Done.")),
        "--output",
        "/dev/full",
        "--state",
        state,
        ...more,
        "hello",
      ];
      const { exitCode, stdout, stderr } = await switchyard(words, { env: KEY, cwd });
      expectCode(exitCode, 4);
      expect(stderr).toMatch(LOST);
      // The complete report is printed, with nothing after it.
      if (more.length > 0) expect(JSON.parse(stdout)).toMatchObject({ status: "completed" });
      const [folder, command] = [
        /stored in (\S+)report\.json/u.exec(stderr)?.[1],
        /`switchyard (runs show [^`]+)`/u.exec(stderr)?.[1],
      ];
      expect(existsSync(join(folder ?? "", "report.json"))).toBe(true);
      const shown = await switchyard(command?.split(" ") ?? [], { cwd });
      expect(JSON.parse(shown.stdout)).toMatchObject({ report: { result: { final_message: "Done." } } });
    }
  });

  test.each([
    ["a full disk", ">/dev/full"],
    ["a pipe without a reader", "| true"],
  ])("standard output is %s", async (_what, into) => {
    const cwd = await makeFolder();
    const words = ["run", ...(await modelWords("Done.")), "--json", "--state", "state", "hello"];
    const { exitCode, stderr } = await shell(words, { into, cwd });
    expectCode(exitCode, 4);
    expect(stderr).toMatch(LOST);
    expect(stderr).toContain("report.json. Print it with `switchyard runs show");
    expect(await storedResult(join(cwd, "state"))).toMatchObject({ result: { final_message: "Done." } });
  });

  test.each([
    ["people", []],
    ["events", ["--events", "jsonl"]],
  ])("a full disk loses the live output of a run for %s, and the run is completed", async (_reader, words) => {
    const cwd = await makeFolder({ "engine.yaml": engineOf("echo once >> effects.txt; echo Done.") });
    const all = ["run", "--engine", "engine.yaml", "--state", "state", ...words, "hello"];
    const { exitCode, stderr } = await shell(all, { into: ">/dev/full", cwd });
    expectCode(exitCode, 4);
    expect(stderr).toMatch(LOST);
    expect(stderr).not.toContain("interrupted");
    expect(await storedResult(join(cwd, "state"))).toMatchObject({
      status: "completed",
      result: { final_message: "Done." },
    });
    expect(await readFile(join(cwd, "effects.txt"), "utf8")).toBe("once\n");
  });

  test("a disk that becomes full in the middle of the live output", async ({ skip }) => {
    const shellCall = (command: string): MockAnswer => ({ name: "shell", arguments: { command } });
    const words = await modelWords(shellCall("seq 1 5000"), shellCall("echo once >> effects.txt"), "Done.");
    const cwd = await makeFolder();
    const mount = 'mkdir disk && mount -t tmpfs -o size=8k tmpfs disk || exit 99; "$0" "$@" > disk/out';
    const script = `${mount}; code=$?; wc -c < disk/out; exit $code`;
    const program = [process.execPath, BIN, "run", ...words, "--events", "jsonl", "--state", "state", "hello"];
    const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, SWITCHYARD_ENV: "local", ...SHARED_CACHE, ...KEY };
    const options = { env, extendEnv: false, reject: false, cwd } as const;
    const { exitCode, stdout, stderr } = await execa("unshare", ["-rm", "bash", "-c", script, ...program], options);
    if (exitCode === undefined || exitCode === 99 || stderr.startsWith("unshare:"))
      skip("user namespaces are not available");
    expectCode(exitCode, 4);
    expect(Number(stdout)).toBe(8_192);
    expect(stderr).toMatch(LOST);
    expect(await readFile(join(cwd, "effects.txt"), "utf8")).toBe("once\n");
    expect(await storedResult(join(cwd, "state"))).toMatchObject({ result: { final_message: "Done." } });
  });

  test.each([
    ["resume", ["resume"]],
    ["tools call", ["tools", "call", "write_file", ...WRITE]],
  ])("of %s", async (name, words) => {
    const cwd = await makeFolder();
    if (name === "resume") words.push(...(await stoppedRun(cwd)), "--json");
    const { exitCode, stderr } = await shell(words, { into: ">/dev/full", cwd });
    expectCode(exitCode, 4);
    expect(stderr).toMatch(LOST);
  });

  test("of an evaluation, whose results are in its folder", async () => {
    const suite = `cases: [{ id: one, prompt: hello, assert: [{ contains: Done }] }]\n`;
    for (const more of [["--json"], []]) {
      const cwd = await makeFolder({ "eval.yaml": suite, "engine.yaml": engineOf("echo Done") });
      const words = ["eval", "eval.yaml", "--output", "results", ...more, "--engine", "engine.yaml"];
      const { exitCode, stderr } = await shell(words, { into: ">/dev/full", cwd });
      expectCode(exitCode, 4);
      expect(stderr).toContain("The results are stored in");
      expect(existsSync(join(cwd, "results", "results.json"))).toBe(true);
    }
  });

  test("a command that only prints loses nothing if its reader stops reading, and reports output it could not write", async () => {
    const cwd = await makeFolder();
    expectCode((await shell(["engines", "list"], { into: "| true", cwd })).exitCode, 0);
    expectCode((await shell(["engines", "list"], { into: ">/dev/full", cwd })).exitCode, 2);
  });
});

test("5: a gate found a regression", async () => {
  const resultsOf = (outcome: string): string => {
    const trials = Array.from({ length: 6 }, (_, index) => ({
      ...{ case_id: String(index), engine: "agent", iteration: 1, outcome, usage: {} },
    }));
    return JSON.stringify({ format: 1, name: "suite", started_at: "2026-01-01T00:00:00.000Z", trials });
  };
  const cwd = await makeFolder({ "base.json": resultsOf("PASS"), "new.json": resultsOf("FAIL") });
  expectCode((await switchyard(["eval", "compare", "base.json", "new.json", "--gate"], { cwd })).exitCode, 5);
});

/** Returns the arguments that resume a run which was interrupted in its first tool call. */
async function stoppedRun(cwd: string): Promise<string[]> {
  const words = await modelWords({ name: "shell", arguments: { command: HELD } }, "Done.");
  await writeFile(join(cwd, "hold"), "");
  const { command } = await startSwitchyard(["run", ...words, "--state", "state", "hello"], { env: KEY, cwd });
  await until(() => existsSync(join(cwd, "effects.txt")));
  command.kill("SIGINT");
  expectCode((await command).exitCode, 130);
  const [id = ""] = await readdir(join(cwd, "state", "runs"));
  return [id, "--state", "state"];
}

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("128 + n: interrupted by %s", async (signal, code) => {
  const cwd = await makeFolder({ hold: "" });
  const words = await modelWords({ name: "shell", arguments: { command: HELD } }, "Done.");
  const { command } = await startSwitchyard(["run", ...words, "--state", "state", "hello"], { env: KEY, cwd });
  await until(() => existsSync(join(cwd, "effects.txt")));
  command.kill(signal);
  expectCode((await command).exitCode, code);
});

test("every exit code of the table was seen, and no other", () => {
  expect([...codes].sort((one, other) => one - other)).toEqual(EXIT_CODES.map(({ code }) => code));
});
