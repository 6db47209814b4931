import { execFile, execFileSync } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { BIN, makeFolder, SHARED_CACHE } from "./start-switchyard.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const HOST = join(ROOT, "fixtures/foreign-host/execute_task.py");
const PATIENCE_MS = 300_000;
const run = promisify(execFile);

/** Returns the reason why Python is not available; `undefined` if it is. */
function pythonProblem(): string | undefined {
  try {
    execFileSync("python3", ["-c", ""], { stdio: "ignore" });
    return undefined;
  } catch {
    return "python3 is not installed";
  }
}

const UNREADY = pythonProblem();

interface Called {
  readonly words: readonly string[];
  readonly workspace?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Executes a task with `switchyard runtimes exec` from a host program in Python. */
async function callFromPython({ words, workspace, env }: Called): Promise<unknown> {
  const [folder, home, state] = [workspace ?? (await makeFolder()), await makeFolder(), await makeFolder()];
  const command = [process.execPath, BIN, "runtimes", "exec", ...words, "--state", state];
  const { stdout } = await run("python3", [HOST, folder, "Do it, “please”.", "--", ...command], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home, ...SHARED_CACHE, ...env },
  });
  const told: unknown = JSON.parse(stdout);
  return told;
}

/** Simulated agent commands, with the output of one turn. */
const AGENTS = {
  "claude-code": {
    program: "claude",
    source: `
      const session_id = process.argv[process.argv.indexOf("--session-id") + 1];
      const say = (event) => console.log(JSON.stringify({ ...event, session_id }));
      say({ type: "system", subtype: "init", model: "m" });
      say({ type: "assistant", message: { id: "1", role: "assistant", content: [{ type: "text", text: "Done." }], model: "m" } });
      say({ type: "result", subtype: "success", is_error: false, result: "Done." });`,
  },
  codex: {
    program: "codex",
    source: `
      const send = (message) => console.log(JSON.stringify(message));
      const place = { threadId: "t", turnId: "u" };
      const answers = { initialize: {}, "account/read": { account: null, requiresOpenaiAuth: false },
        "thread/start": { thread: { id: "t" }, model: "m" }, "turn/start": { turn: { id: "u" } } };
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        if (id !== undefined) send({ id, result: answers[method] });
        if (method === "thread/start") send({ method: "thread/started", params: { thread: { id: "t" } } });
        if (method !== "turn/start") return;
        send({ method: "item/completed", params: { ...place, item: { type: "agentMessage", id: "m", text: "Done." } } });
        send({ method: "turn/completed", params: { ...place, turn: { id: "u", status: "completed" } } });
      });`,
  },
  opencode: {
    program: "opencode",
    source: `
      require("node:fs").readFileSync(0);
      const say = (type, part) => console.log(JSON.stringify({ type, sessionID: "s", part }));
      say("step_start", {});
      say("text", { text: "Done." });
      say("step_finish", { id: "p", reason: "stop", tokens: { input: 1, output: 1, cache: { read: 0, write: 0 } } });`,
  },
  kiro: {
    program: "kiro-cli",
    source: `console.log(process.argv[2] === "whoami" ? "Authenticated with API key" : "Done.");`,
  },
  copilot: {
    program: "copilot",
    source: `
      const say = (type, data, more) => console.log(JSON.stringify({ type, data, id: type, ...more }));
      const place = { messageId: "m", turnId: "0" };
      say("assistant.turn_start", { turnId: "0" });
      say("assistant.message", { ...place, model: "m", content: "Done.", toolRequests: [] });
      say("assistant.turn_end", { turnId: "0" });
      say("result", undefined, { sessionId: "s", exitCode: 0, usage: {} });`,
  },
  "acp:gemini": {
    program: "gemini",
    source: `
      const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
        if (method === "session/new") send({ id, result: { sessionId: "s" } });
        if (method !== "session/prompt") return;
        const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done." } };
        send({ method: "session/update", params: { sessionId: "s", update } });
        send({ id, result: { stopReason: "end_turn" } });
      });`,
  },
} as const;

test.for(Object.entries(AGENTS))(
  "%s is executed by a host in Python [runtime-provider-command-22]",
  { timeout: PATIENCE_MS },
  async ([engine, { program, source }], { skip }) => {
    skip(UNREADY !== undefined, UNREADY);
    const bin = await makeFolder({ [program]: `#!${process.execPath}\n${source}\n` });
    await chmod(join(bin, program), 0o755);
    const env = {
      PATH: `${bin}${delimiter}${process.env["PATH"]}`,
      ANTHROPIC_API_KEY: "k",
      GEMINI_API_KEY: "k",
      KIRO_API_KEY: "k",
    };
    const told = await callFromPython({ words: [engine], env });
    expect(told).toMatchObject({ status: "succeeded", summary: "Done." });
  },
);

test(
  "our own agent is executed by a host in Python, and so is an engine that a file describes [runtime-package-layout-2]",
  async ({ skip }) => {
    skip(UNREADY !== undefined, UNREADY);
    const { baseUrl } = await startMockModel("openai", ["Said by the model."]);
    const words = ["agent", "--model", "openai/test-model", "--base-url", baseUrl];
    const agent = await callFromPython({ words, env: { OPENAI_API_KEY: "test-key-that-is-not-real" } });
    expect(agent).toMatchObject({ status: "succeeded", summary: "Said by the model." });
    const folder = await makeFolder();
    const local = { command: join(ROOT, "fixtures/engines/good.py"), args: [`\${input_file}`, `\${output_file}`] };
    const custom = { transport: "local", local: { ...local, output_file: `\${workspace}/result.json` } };
    await writeFile(join(folder, "engine.json"), JSON.stringify({ engine: { name: "good", custom } }));
    const engine = await callFromPython({ words: [join(folder, "engine.json")] });
    expect(engine).toEqual({ status: "succeeded", summary: "You said: Do it, “please”.", artifacts: 1 });
  },
  PATIENCE_MS,
);

test(
  "a host in Python gets an outcome of a failure as well, with a classification",
  async ({ skip }) => {
    skip(UNREADY !== undefined, UNREADY);
    expect(await callFromPython({ words: ["claude-code"], workspace: "/nowhere/at/all" })).toMatchObject({
      status: "failed",
    });
    expect(await callFromPython({ words: ["agent"] })).toMatchObject({ status: "provider_error" });
  },
  PATIENCE_MS,
);
