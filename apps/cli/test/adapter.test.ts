import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, switchyard, switchyardProcess } from "./start-switchyard.ts";

const KEY = "sk-ant-the-key-of-nobody-0123456789";

/** Simulates one turn of the command `claude` 2.1.197 and stores its arguments. */
const CLAUDE = `#!${process.execPath}
const fs = require("node:fs");
const args = process.argv.slice(2);
const prompt = fs.readFileSync(0, "utf8");
const resumed = args.includes("--resume");
const session_id = args[args.indexOf(resumed ? "--resume" : "--session-id") + 1];
fs.appendFileSync("asked.jsonl", JSON.stringify({ args, prompt }) + "\\n");
const say = (event) => fs.writeSync(1, JSON.stringify({ ...event, session_id }) + "\\n");
const usage = { input_tokens: 1200, output_tokens: 34 };
const assistant = (id, part) =>
  say({ type: "assistant", message: { id, role: "assistant", content: [part], model: "claude-sonnet-4-5", usage } });
say({ type: "system", subtype: "init", model: "claude-sonnet-4-5" });
const isKept = () => fs.readdirSync("state/runs").some((run) =>
  fs.readFileSync("state/runs/" + run + "/checkpoints/1.jsonl", "utf8").includes(session_id));
const starts = fs.readFileSync("asked.jsonl", "utf8").trim().split("\\n").length;
const plan = fs.existsSync("plan.json") ? JSON.parse(fs.readFileSync("plan.json", "utf8"))[starts - 1] : undefined;
if (plan === "break") process.exit(3);
if (plan === "stop") fs.writeFileSync("stop", "");
if (fs.existsSync("stop")) {
  fs.renameSync("stop", "stopped");
  while (!isKept()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  process.kill(process.ppid, "SIGKILL");
}
assistant("msg_1", { type: "text", text: "I will run a command. " + process.env.ANTHROPIC_API_KEY });
assistant("msg_1", { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "cat made.txt" } });
fs.writeFileSync("made.txt", "tool ran\\n");
say({ type: "user", message: { role: "user", content: [{ tool_use_id: "toolu_1", type: "tool_result", content: "tool ran" }] } });
assistant("msg_2", { type: "text", text: resumed ? "Done, later." : "Done." });
say({ type: "result", subtype: "success", is_error: false, result: "Done.",
  modelUsage: { "claude-sonnet-4-5": { inputTokens: 2400, outputTokens: 68 } } });
`;

async function makeProject(): Promise<{ cwd: string; env: Record<string, string> }> {
  const cwd = await makeFolder({ "README.md": "# demo\n" });
  const bin = await makeFolder({ claude: CLAUDE });
  await chmod(join(bin, "claude"), 0o755);
  return { cwd, env: { PATH: `${bin}${delimiter}${process.env["PATH"]}`, ANTHROPIC_API_KEY: KEY } };
}

async function askedIn(cwd: string): Promise<{ args: string[]; prompt: string }[]> {
  const lines = (await readFile(join(cwd, "asked.jsonl"), "utf8")).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

test("an agent's command is an engine by its name: the same view, events, result and run folder [adapter-contract-11] [adapter-registry-1]", async () => {
  const { cwd, env } = await makeProject();
  const words = ["run", "--engine", "claude-code", "--model", "anthropic/claude-sonnet-4-5", "--state", "state"];
  const shown = await switchyard([...words, "--direct", "--output", "result.json", "Do it."], { cwd, env });
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  for (const part of ["> Do it.", "→ Bash cat made.txt", "✓ Bash", "Done.", "made.txt", "Completed in"]) {
    expect(shown.stdout).toContain(part);
  }
  expect(shown.stdout).not.toContain(KEY);
  const result: unknown = JSON.parse(await readFile(join(cwd, "result.json"), "utf8"));
  expect(result).toMatchObject({
    ...{ exit_code: 0, final_message: "Done.", engine: "claude-code", model: "claude-sonnet-4-5" },
    ...{ input_tokens: 2400, output_tokens: 68, turns: 1 },
  });
  const [asked] = await askedIn(cwd);
  expect(asked?.prompt).toBe("Do it.");
  expect(asked?.args.join(" ")).toContain("--model claude-sonnet-4-5");
  const [run = ""] = await readdir(join(cwd, "state", "runs"));
  const events = await readFile(join(cwd, "state", "runs", run, "events.jsonl"), "utf8");
  const types = events
    .trim()
    .split("\n")
    .map((line): string => JSON.parse(line).type);
  for (const type of ["run_start", "session_start", "tool_call_start", "tool_call_end", "usage_reported", "run_end"]) {
    expect(types).toContain(type);
  }
  expect(events).not.toContain(KEY);
});

test("a run whose host was killed continues in the agent's own session [adapter-resume-1]", async () => {
  const { cwd, env } = await makeProject();
  await writeFile(join(cwd, "stop"), "");
  const killed = await switchyardProcess(["run", "--engine", "claude-code", "--state", "state", "Do it."], {
    cwd,
    env,
  });
  expect(killed.exitCode).not.toBe(0);
  const [run = ""] = await readdir(join(cwd, "state", "runs"));
  const resumed = await switchyard(["resume", run, "--state", "state"], { cwd, env });
  expect(resumed).toMatchObject({ exitCode: 0 });
  expect(resumed.stdout).toContain("Done, later.");
  const [first, second] = await askedIn(cwd);
  const id = first?.args[first.args.indexOf("--session-id") + 1];
  expect(second?.args[second.args.indexOf("--resume") + 1]).toBe(id);
  expect(second?.prompt).toContain("was cut off");
});

test("a failed run is retried, and a run whose process was killed continues with its current attempt [adapter-error-kinds-3] [D9]", async () => {
  const { cwd, env } = await makeProject();
  await writeFile(join(cwd, "plan.json"), JSON.stringify(["break", "stop", "break", "work"]));
  const words = ["run", "--engine", "claude-code", "--state", "state", "--max-retry-wait", "0", "--max-attempts", "3"];
  const killed = await switchyardProcess([...words, "Do it."], { cwd, env });
  expect(killed.exitCode).not.toBe(0);
  expect(killed.stdout).toMatch(/! Attempt 1 failed: .*exit 3.* Retrying in .* \(1 of 3 attempts used\)\./);
  const [run = ""] = await readdir(join(cwd, "state", "runs"));
  const resumed = await switchyard(["resume", run, "--state", "state", "--json"], { cwd, env });
  expect(resumed).toMatchObject({ exitCode: 0, stderr: "" });
  const report: { failedAttempts: { attempt: number }[] } = JSON.parse(resumed.stdout);
  expect(report.failedAttempts.map(({ attempt }) => attempt)).toEqual([1, 3]);
  expect(await askedIn(cwd)).toHaveLength(4);
  const events = await readFile(join(cwd, "state", "runs", run, "events.jsonl"), "utf8");
  const attempts = events
    .trim()
    .split("\n")
    .map((line): number => JSON.parse(line).attempt);
  expect([...new Set(attempts)]).toEqual([1, 2, 3, 4]);
});

test("the engine file may set the number of attempts, and the command line overrides it", async () => {
  const { cwd, env } = await makeProject();
  await writeFile(join(cwd, "plan.json"), JSON.stringify(["break", "break", "break"]));
  await writeFile(join(cwd, "engine.yaml"), "engine:\n  name: claude-code\n  max_attempts: 2\n");
  const words = ["run", "--engine", "./engine.yaml", "--state", "state", "--max-retry-wait", "0", "Do it."];
  expect((await switchyard(words, { cwd, env })).exitCode).toBe(3);
  expect(await askedIn(cwd)).toHaveLength(2);
  expect((await switchyard([...words, "--max-attempts", "1"], { cwd, env })).exitCode).toBe(3);
  expect(await askedIn(cwd)).toHaveLength(3);
  await writeFile(join(cwd, "wrong.yaml"), "engine:\n  name: claude-code\n  max_attempts: many\n");
  const wrong = await switchyard(["validate", "wrong.yaml"], { cwd, env });
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("engine.max_attempts")]);
  const never = await switchyard([...words, "--max-attempts", "0"], { cwd, env });
  expect([never.exitCode, never.stderr]).toEqual([2, expect.stringContaining("from 1 to 100")]);
});

test("the output of the command is stored as an artifact on request, for all attempts and without secrets", async () => {
  const { cwd, env } = await makeProject();
  await writeFile(join(cwd, "plan.json"), JSON.stringify(["break", "work"]));
  const words = ["run", "--engine", "claude-code", "--state", "state", "--json", "--max-retry-wait", "0"];
  const run = await switchyard([...words, "--max-attempts", "2", "--keep-raw-output", "Do it."], { cwd, env });
  const report: { runFolder: string; artifacts: { name: string; path: string }[] } = JSON.parse(run.stdout);
  expect(report.artifacts).toMatchObject([
    { name: "raw-output/raw-1-1-stdout.txt", contentType: "text/plain" },
    { name: "raw-output/raw-2-2-stdout.txt" },
  ]);
  const [first = "", second = ""] = await Promise.all(
    report.artifacts.map(({ path }) => readFile(join(report.runFolder, "artifacts", path), "utf8")),
  );
  expect(first).toMatch(/^\{"type":"system","subtype":"init".*\}\n$/u);
  expect(second).toContain('"I will run a command. ***REDACTED***"');
  expect(first + second).not.toContain(KEY);
  const without = await switchyard([...words, "Do it."], { cwd, env });
  expect(JSON.parse(without.stdout).artifacts).toEqual([]);
});

test("a budget of tokens ends a run [adapter-usage-3]", async () => {
  const { cwd, env } = await makeProject();
  const words = ["run", "--engine", "claude-code", "--state", "state", "--max-tokens", "1000", "--max-attempts", "3"];
  const run = await switchyard([...words, "--direct", "Do it."], { cwd, env });
  expect(run.stderr).toContain("tokens");
  expect(run.exitCode).not.toBe(0);
  expect(await askedIn(cwd)).toHaveLength(1);
});

test("a file configures it, and errors in the file are found before anything runs [adapter-passthrough-config-5] [adapter-shipping-2]", async () => {
  const { cwd, env } = await makeProject();
  const right = "engine:\n  name: claude-code\n  adapter: { permission_mode: acceptEdits, allowed_tools: [Bash] }\n";
  await writeFile(join(cwd, "right.yaml"), right);
  await writeFile(join(cwd, "wrong.yaml"), right.replace("acceptEdits", "default"));
  expect(await switchyard(["validate", "right.yaml"], { cwd, env })).toMatchObject({ exitCode: 0 });
  const run = await switchyard(["run", "--engine", "./right.yaml", "--state", "state", "Do it."], { cwd, env });
  expect(run.exitCode).toBe(0);
  expect((await askedIn(cwd))[0]?.args).toEqual(expect.arrayContaining(["acceptEdits", "--allowedTools=Bash"]));
  const found = await switchyard(["validate", "wrong.yaml"], { cwd, env });
  expect(found.exitCode).not.toBe(0);
  expect(found.stdout + found.stderr).toContain("could wait for a person");
  const refused = await switchyard(["run", "--engine", "./wrong.yaml", "--state", "state", "Do it."], { cwd, env });
  expect(refused.exitCode).toBe(2);
  expect(await askedIn(cwd)).toHaveLength(1);
});

test("a command that is not installed is reported, with what to do [adapter-launch-3]", async () => {
  const { cwd } = await makeProject();
  const env = { PATH: "/usr/bin:/bin" };
  const run = await switchyard(["run", "--engine", "claude-code", "--state", "state", "Do it."], { cwd, env });
  expect(run.exitCode).toBe(3);
  expect(run.stdout + run.stderr).toContain("The agent claude was not found");
});
