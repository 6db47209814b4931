import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { isProcessRunning, makeFolder, switchyard, switchyardProcess } from "./start-switchyard.ts";

/** Simulates the command `claude` 2.1.197 and ends as the file `plan` specifies. */
const CLAUDE = `#!${process.execPath}
const fs = require("node:fs");
const args = process.argv.slice(2);
const prompt = fs.readFileSync(0, "utf8");
const resumed = args.includes("--resume");
const session_id = args[args.indexOf(resumed ? "--resume" : "--session-id") + 1];
const plan = fs.readFileSync("plan", "utf8");
fs.appendFileSync("asked.jsonl", JSON.stringify({ prompt, resumed, session_id, pid: process.pid }) + "\\n");
const say = (event) => fs.writeSync(1, JSON.stringify({ ...event, session_id }) + "\\n");
const hang = () => setInterval(() => {}, 1000);
if (resumed && plan === "lost") {
  const error = "No conversation found with session ID: " + session_id;
  say({ type: "result", subtype: "error_during_execution", is_error: true, errors: [error] });
  process.stderr.write(error + "\\n");
  process.exit(1);
}
say({ type: "system", subtype: "init", model: "claude-sonnet-4-5" });
if (plan === "killed") {
  const isStored = () => fs.readdirSync("state/runs").some((run) =>
    fs.readFileSync("state/runs/" + run + "/checkpoints/1.jsonl", "utf8").includes(session_id));
  while (!isStored()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  process.kill(process.ppid, "SIGKILL");
  process.exit(1);
}
if (plan === "cost") say({ type: "result", subtype: "success", is_error: false, result: "Total cost: $0.12" });
if (plan === "cost") process.exit(0);
fs.writeFileSync("made.txt", "made\\n");
say({ type: "assistant", message: { id: "m", model: "claude-sonnet-4-5", content: [{ type: "text", text: "Done." }] } });
say({ type: "result", subtype: "success", is_error: false, result: "Done." });
if (plan === "lingers") hang();
if (plan === "ignores SIGTERM") process.on("SIGTERM", () => {}), hang();
if (plan === "exits 3") process.exit(3);
if (plan === "crashes") process.kill(process.pid, "SIGABRT"), hang();
if (plan === "leaves a process behind") {
  const options = { detached: true, stdio: ["ignore", "inherit", "inherit"] };
  const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], options);
  fs.appendFileSync("asked.jsonl", JSON.stringify({ pid: child.pid }) + "\\n");
  child.unref();
  hang();
}
`;

interface Asked {
  readonly prompt: string;
  readonly resumed: boolean;
  readonly session_id: string;
  readonly pid: number;
}

async function makeProject(plan: string): Promise<{ cwd: string; env: Record<string, string>; engine: string }> {
  const bin = await makeFolder({ claude: CLAUDE });
  const cwd = await makeFolder({ plan });
  await chmod(join(bin, "claude"), 0o755);
  await writeFile(
    join(cwd, "engine.yaml"),
    "engine: { name: claude-code, adapter: { result_grace_ms: 300, stop_grace_ms: 300 } }\n",
  );
  return { cwd, env: { PATH: `${bin}${delimiter}${process.env["PATH"]}` }, engine: "engine.yaml" };
}

async function askedIn(cwd: string): Promise<Asked[]> {
  const lines = (await readFile(join(cwd, "asked.jsonl"), "utf8")).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

test.each(["lingers", "ignores SIGTERM", "leaves a process behind", "exits 3", "crashes"])(
  "an agent that %s after its result has done its work, once [adapter-outcome-16] [adapter-outcome-17]",
  async (plan) => {
    const { cwd, env, engine } = await makeProject(plan);
    const words = ["run", "--engine", engine, "--state", "state", "--max-attempts", "3", "--json", "Do it."];
    const { exitCode, stdout } = await switchyard(words, { cwd, env });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed", result: { final_message: "Done." } });
    const asked = await askedIn(cwd);
    expect(asked.filter(({ prompt }) => prompt !== undefined)).toHaveLength(1);
    const alive = await Promise.all(asked.map(({ pid }) => isProcessRunning(String(pid))));
    expect(alive.filter(Boolean)).toEqual([]);
  },
);

test("the text of a reported success is the result of a run without any other work [adapter-outcome-18]", async () => {
  const { cwd, env, engine } = await makeProject("cost");
  const { exitCode, stdout } = await switchyard(["run", "--engine", engine, "--state", "state", "/cost"], { cwd, env });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("Total cost: $0.12")]);
});

test.each([[[]], [["--json"]], [["--events", "jsonl"]]])(
  "a session that was announced but never stored is replaced at the first resume, which reports it: %j [adapter-resume-6] [D5]",
  async (output) => {
    const { cwd, env, engine } = await makeProject("killed");
    const killed = await switchyardProcess(["run", "--engine", engine, "--state", "state", "Do it."], { cwd, env });
    expect(killed.exitCode).not.toBe(0);
    const [run = ""] = await readdir(join(cwd, "state", "runs"));
    await rm(join(cwd, "plan"));
    await writeFile(join(cwd, "plan"), "lost");
    const resumed = await switchyard(["resume", run, "--state", "state", ...output], { cwd, env });
    expect(resumed.exitCode, resumed.stderr + resumed.stdout).toBe(0);
    expect(resumed.stderr).toMatch(
      /^warning: The session \S+ cannot be resumed, so a new one was started: No conversation found/u,
    );
    const [first, second, third] = await askedIn(cwd);
    expect([second?.resumed, second?.session_id]).toEqual([true, first?.session_id]);
    expect(third?.resumed).toBe(false);
    expect(third?.prompt).toMatch(/was cut off.*Do it\.$/su);
    const events = await readFile(join(cwd, "state", "runs", run, "events.jsonl"), "utf8");
    expect(events).toContain('"type":"session_replaced"');
  },
);
