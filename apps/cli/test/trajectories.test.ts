import { chmod, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import { checkTrajectory, type Trajectory } from "@switchyard/evaluation";
import { expect, test } from "vitest";
import { runProgram } from "../src/program/run-program.ts";
import { createFakeContext } from "./fake-context.ts";
import { startMockModel } from "./mock-model.ts";
import { makeFolder } from "./start-switchyard.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const KEY = "test-key-that-is-not-real";

/** Simulates one turn of an agent that speaks the Agent Client Protocol. */
const ACP_AGENT = `#!${process.execPath}
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (given) => send({ method: "session/update", params: { sessionId: "s", update: given } });
const answers = {
  initialize: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] },
  "session/new": { sessionId: "s" },
  "session/prompt": { stopReason: "end_turn" },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "session/prompt") {
    const call = { toolCallId: "c1", title: "ls", kind: "execute", rawInput: { command: "ls" } };
    update({ sessionUpdate: "tool_call", status: "in_progress", ...call });
    const content = [{ type: "content", content: { type: "text", text: "files" } }];
    update({ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed", content });
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done." } });
  }
  if (id !== undefined) send({ id, result: answers[method] ?? {} });
});
`;

/** Simulates one turn of the command `codex app-server`. */
const CODEX = `#!${process.execPath}
const send = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
const place = { threadId: "t", turnId: "u" };
const ran = { type: "commandExecution", id: "c1", command: "ls", cwd: process.cwd() };
const answers = {
  initialize: {},
  "account/read": { account: null, requiresOpenaiAuth: false },
  "thread/start": { thread: { id: "t" }, model: "gpt-5.5" },
  "turn/start": { turn: { id: "u" } },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) send({ id, result: answers[method] });
  if (method !== "turn/start") return;
  send({ method: "item/started", params: { ...place, item: ran } });
  const ended = { ...ran, status: "completed", aggregatedOutput: "files", exitCode: 0 };
  send({ method: "item/completed", params: { ...place, item: ended } });
  send({ method: "item/completed", params: { ...place, item: { type: "agentMessage", id: "m", text: "Done." } } });
  const tokens = { inputTokens: 12, outputTokens: 3 };
  send({ method: "thread/tokenUsage/updated", params: { ...place, tokenUsage: { total: tokens, last: tokens } } });
  send({ method: "turn/completed", params: { ...place, turn: { id: "u", status: "completed" } } });
});
`;

/** Simulates one turn of the command `opencode run`. */
const OPENCODE = `#!${process.execPath}
require("node:fs").readFileSync(0);
const say = (type, part) => console.log(JSON.stringify({ type, sessionID: "s", part }));
const state = { status: "completed", input: { command: "ls" }, output: "files" };
say("tool_use", { tool: "bash", callID: "c1", state });
say("text", { text: "Done." });
say("step_finish", { id: "p", reason: "stop", tokens: { input: 12, output: 3, cache: { read: 0, write: 0 } } });
`;

const CUSTOM = `engine: { name: own, custom: { transport: local, local: { command: sh, args: [-c, "cat result.json"] } } }`;
const TRANSCRIPT = [
  { role: "assistant", content: "", tool_calls: [{ id: "c1", name: "list", arguments: '{"path":"."}' }] },
  { role: "tool", content: "", tool_result: { call_id: "c1", status: "ok", content: "files" } },
  { role: "assistant", content: "Done." },
];

interface Kind {
  readonly kind: string;
  readonly words: readonly string[];
  /** Commands on the PATH, by name. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** Names of the tools that the trajectory must contain. */
  readonly tools: readonly string[];
}

const CLAUDE = await readFile(join(ROOT, "examples/compare-engines/bin/claude"), "utf8");

const KINDS: readonly Kind[] = [
  { kind: "the agent loop", words: ["--model", "anthropic/m"], tools: ["shell"] },
  {
    ...{ kind: "a custom engine", words: ["--engine", "engine.yaml"], tools: ["list"] },
    files: {
      "engine.yaml": CUSTOM,
      "result.json": JSON.stringify({ exit_code: 0, final_message: "Done.", transcript: TRANSCRIPT }),
    },
  },
  {
    ...{ kind: "an adapter: Claude Code", words: ["--engine", "claude-code"], tools: ["Write"] },
    ...{ programs: { claude: CLAUDE }, files: { "numbers.txt": "40\n2\n" } },
  },
  {
    ...{ kind: "an adapter: Codex", words: ["--engine", "codex"], tools: ["commandExecution"] },
    programs: { codex: CODEX },
  },
  {
    ...{ kind: "an adapter: OpenCode", words: ["--engine", "opencode"], tools: ["bash"] },
    programs: { opencode: OPENCODE },
  },
  { kind: "ACP", words: ["--engine", "acp:gemini"], programs: { gemini: ACP_AGENT }, tools: ["execute"] },
  { kind: "a runtime package", words: ["--engine", "runtime:minimal"], tools: [] },
];

/** Opens a folder with a state folder, in which commands can be entered. */
async function openFolder({ programs = {}, files = {} }: Pick<Kind, "programs" | "files"> = {}) {
  const [cwd, home, bin] = [await makeFolder(files), await makeFolder(), await makeFolder(programs)];
  for (const name of Object.keys(programs)) await chmod(join(bin, name), 0o755);
  const path = [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const env = { PATH: path, HOME: home, ANTHROPIC_API_KEY: KEY };
  const enter = async (...words: string[]) => {
    const where = { workingDirectory: cwd, homeDirectory: home, temporaryDirectory: "/tmp" };
    const fake = createFakeContext({ ...where, env, words });
    return { exitCode: await runProgram(fake.context), printed: fake.printed(), told: fake.told() };
  };
  const exported = async (id: string): Promise<Trajectory> => {
    const { exitCode, printed } = await enter("runs", "export", id, "--state", "state", "--format", "atif");
    expect(exitCode).toBe(0);
    return JSON.parse(printed);
  };
  return { cwd, home, enter, exported };
}

test.each(KINDS)("a run of $kind is exported as a valid trajectory, which survives an import", async (kind) => {
  const { cwd, home, enter, exported } = await openFolder(kind);
  const runtimes = join(home, ".config/switchyard/agent-runtimes");
  await mkdir(runtimes, { recursive: true });
  await cp(join(ROOT, "fixtures/runtimes/minimal"), join(runtimes, "minimal"), { recursive: true });
  const { baseUrl } = await startMockModel("anthropic", [
    { name: "shell", arguments: { command: "echo files", description: "list" } },
    "Done.",
  ]);
  const server = kind.words[0] === "--model" ? ["--base-url", baseUrl] : [];
  const run = await enter("run", ...kind.words, ...server, "--state", "state", "--env", "local", `Use ${KEY} now.`);
  expect(run).toMatchObject({ exitCode: 0 });

  const trajectory = await exported("last");
  expect(checkTrajectory(trajectory)).toBeUndefined();
  expect(trajectory.steps.map(({ source }) => source)[0]).toBe("user");
  expect(trajectory.steps.at(-1)?.source).toBe("agent");
  expect(trajectory.steps.flatMap(({ tool_calls = [] }) => tool_calls.map((one) => one.function_name))).toEqual(
    kind.tools,
  );
  const results = trajectory.steps.flatMap(({ observation }) => observation?.results ?? []);
  expect(results).toHaveLength(kind.tools.length);
  expect(JSON.stringify(trajectory)).not.toContain(KEY);

  await writeFile(join(cwd, "trajectory.json"), JSON.stringify(trajectory));
  const imported = await enter("runs", "import", "trajectory.json", "--state", "state", "--json");
  expect(imported).toMatchObject({ exitCode: 0, told: "" });
  const { run_id: id } = JSON.parse(imported.printed);
  expect(await exported(id)).toEqual(trajectory);
  // The steps are events, and none of them had to be kept in a header.
  const events = (await enter("runs", "events", id, "--state", "state", "--json")).printed;
  expect(events).toContain('"type":"assistant_text_end"');
  if (kind.kind !== "a custom engine") expect(events).not.toContain("atif_step");
});

test("a trajectory of another program with every field survives an import", async () => {
  const { cwd, enter, exported } = await openFolder();
  const text = await readFile(join(ROOT, "fixtures/trajectories/every-field.json"), "utf8");
  await writeFile(join(cwd, "foreign.json"), text);
  const imported = await enter("runs", "import", "foreign.json", "--state", "state");
  expect(imported).toMatchObject({ exitCode: 0, printed: expect.stringMatching(/^Imported as run \w{26}\n$/) });
  expect(await exported("last")).toEqual(JSON.parse(text));
  const diff = await enter("runs", "diff", "foreign.json", "last", "--state", "state");
  expect(diff).toMatchObject({ exitCode: 0, printed: expect.stringContaining("The trajectories are equal.") });
  const shown = await enter("runs", "show", "last", "--state", "state");
  expect(shown.printed).toContain("reviewer");
  expect(shown.printed).not.toContain("resume");
  const page = await enter("runs", "export", "last", "--state", "state", "--format", "html");
  expect(page.printed).toContain("I ask a colleague.");
});

test("an invalid trajectory is refused before a run is stored", async () => {
  const { cwd, enter } = await openFolder({ files: { "bad.json": '{ "schema_version": "ATIF-v1.7", "steps": [] }' } });
  const refused = await enter("runs", "import", "bad.json", "--state", "state");
  expect(refused).toMatchObject({
    exitCode: 2,
    told: expect.stringContaining("bad.json is not a valid ATIF trajectory"),
  });
  expect(refused.told).toContain("'agent'");
  expect(await readdir(join(cwd, "state")).catch(() => [])).toEqual([]);
});
