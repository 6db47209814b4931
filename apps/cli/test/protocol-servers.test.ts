import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, test } from "vitest";
import { answerCall, answerError, startLoopbackModel } from "./loopback-model.ts";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { openEditor } from "./open-editor.ts";
import { BIN, makeFolder, SHARED_CACHE, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
const WRITES: MockAnswer = { name: "write_file", arguments: { file_path: "b.txt", content: "new\n" } };

describe("switchyard acp", () => {
  test("an editor's prompts are processed in its folder, shown as they stream, and remembered", async () => {
    const answers = [{ name: "read_file", arguments: { file_path: "a.txt" } }, WRITES, "Done.", "I wrote it."];
    const { baseUrl, mock } = await startMockModel("anthropic", answers);
    const editor = await openEditor(["--model", "anthropic/m", "--base-url", baseUrl]);
    expect(editor.about).toMatchObject({ protocolVersion: PROTOCOL_VERSION, agentInfo: { name: "switchyard" } });
    const { sessionId, modes } = await editor.open();
    expect(modes).toMatchObject({ currentModeId: "ask" });
    expect(await editor.say(sessionId, "Write it.")).toMatchObject({ stopReason: "end_turn" });
    expect(await readFile(join(editor.cwd, "b.txt"), "utf8")).toBe("new\n");
    expect(editor.text()).toBe("Done.");
    const calls = editor.updates.filter((one) => one.sessionUpdate === "tool_call");
    expect(calls).toMatchObject([
      { kind: "read", title: "read_file a.txt", status: "in_progress" },
      { kind: "edit", rawInput: { file_path: "b.txt" } },
    ]);
    const ends = editor.updates.filter((one) => one.sessionUpdate === "tool_call_update");
    expect(ends.map(({ toolCallId, status }) => [toolCallId, status])).toEqual(
      calls.map(({ toolCallId }) => [toolCallId, "completed"]),
    );
    expect(editor.asked).toHaveLength(1);
    expect(editor.asked[0]).toMatchObject({ toolCall: { title: "write_file b.txt", kind: "edit" } });
    expect(await editor.say(sessionId, "What did you do?")).toMatchObject({ stopReason: "end_turn" });
    expect(JSON.stringify(mock.getLastRequest()?.body)).toMatch(/Write it\..*Done\..*What did you do\?/s);
    editor.command.stdin?.end();
    expect(await editor.command).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("a call denied in the editor does not run, and the editor chooses the mode", async () => {
    const { baseUrl } = await startMockModel("anthropic", [WRITES, "Denied.", WRITES, "Planned.", WRITES, "Done."]);
    const editor = await openEditor(["--model", "anthropic/m", "--base-url", baseUrl], { answer: "deny" });
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "Write it.");
    expect(editor.asked).toHaveLength(1);
    await editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: "plan" });
    await editor.say(sessionId, "Write it.");
    expect(await readdir(editor.cwd)).toEqual(["a.txt"]);
    await editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: "auto" });
    await editor.say(sessionId, "Write it.");
    expect(await readdir(editor.cwd)).toEqual(["a.txt", "b.txt"]);
    expect(editor.asked).toHaveLength(1);
    editor.command.stdin?.end();
    await editor.command;
  });

  test("a cancelled prompt is reported and nothing keeps running; a failed start is reported", async () => {
    const { baseUrl } = await startLoopbackModel(
      answerCall("shell", { command: "touch begun; while [ -e begun ]; do sleep 0.05; done" }),
    );
    const editor = await openEditor(["--model", "anthropic/m", "--base-url", baseUrl, "--mode", "auto"]);
    const { sessionId } = await editor.open();
    const prompt = editor.say(sessionId, "Wait.");
    await expect.poll(() => readdir(editor.cwd)).toContain("begun");
    const other = await editor.open();
    await expect(editor.say(other.sessionId, "Now.")).rejects.toThrow("Another run is using the workspace");
    await editor.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompt).toEqual({ stopReason: "cancelled" });
    await expect(editor.say("nobody", "Now.")).rejects.toThrow("Unknown session");
    await expect(editor.say(sessionId, " \n")).rejects.toThrow("is not a valid prompt: it is empty.");
    await rm(join(editor.cwd, "begun"));
    const again = editor.say(other.sessionId, "Again.");
    await expect.poll(() => readdir(editor.cwd)).toContain("begun");
    const { sessions } = await editor.agent.request(methods.agent.session.list, { cwd: editor.cwd });
    expect(sessions.map(({ title }) => title)).toEqual(["Again.", "Wait."]);
    await editor.agent.notify(methods.agent.session.cancel, { sessionId: other.sessionId });
    expect(await again).toEqual({ stopReason: "cancelled" });
    editor.command.stdin?.end();
    expect(await editor.command).toMatchObject({ exitCode: 0 });
  });

  test("an editor that disconnects leaves no run behind", async () => {
    const { baseUrl } = await startLoopbackModel(
      answerCall("shell", { command: "touch begun; while [ -e begun ]; do sleep 0.05; done" }),
    );
    const editor = await openEditor(["--model", "anthropic/m", "--base-url", baseUrl, "--mode", "auto"]);
    const { sessionId } = await editor.open();
    const prompt = editor.say(sessionId, "Wait.").catch(() => "gone");
    await expect.poll(() => readdir(editor.cwd)).toContain("begun");
    editor.command.stdin?.end();
    expect(await editor.command).toMatchObject({ exitCode: 0 });
    await prompt;
    const [id = ""] = await readdir(join(editor.home, ".local/state/switchyard/runs"));
    const record = await readFile(join(editor.home, ".local/state/switchyard/runs", id, "run.json"), "utf8");
    expect(record).toContain('"interrupted"');
  });
});

describe("switchyard mcp", () => {
  async function connect(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    const [cwd, home] = [await makeFolder({ "a.txt": "one\n" }), await makeFolder()];
    const own = { HOME: home, SWITCHYARD_ENV: "local", ...SHARED_CACHE, ...KEY };
    const env = { PATH: process.env["PATH"] ?? "", ...own, ...variables };
    const args = [BIN, "mcp", "--workspace", cwd, ...words];
    const transport = new StdioClientTransport({ command: process.execPath, args, env, cwd: home, stderr: "pipe" });
    const mcp = new Client({ name: "test", version: "1" });
    await mcp.connect(transport);
    const call = (name: string, given: Record<string, unknown>, options = {}) =>
      mcp.callTool({ name, arguments: given }, options);
    return { cwd, home, mcp, call, [Symbol.asyncDispose]: () => mcp.close() };
  }

  test("a task is run as a tool, with its progress; runs are listed, shown and continued", async () => {
    const { baseUrl, mock } = await startMockModel("anthropic", [WRITES, "Done.", "As I said."]);
    await using server = await connect(["--model", "anthropic/m", "--base-url", baseUrl]);
    const { tools } = await server.mcp.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["run_task", "list_runs", "show_run"]);
    const progress: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string }): void => void progress.push(message);
    const result = await server.call("run_task", { prompt: "Write it." }, { onprogress });
    expect(result).toMatchObject({
      isError: false,
      structuredContent: { status: "completed", final_message: "Done." },
    });
    expect(progress).toEqual(["write_file b.txt"]);
    expect(await readFile(join(server.cwd, "b.txt"), "utf8")).toBe("new\n");
    const runId = String(Object(result.structuredContent)["run_id"]);
    const listed = await server.call("list_runs", {});
    expect(listed.structuredContent).toMatchObject({ runs: [{ run_id: runId, title: "Write it." }] });
    const shown = await server.call("show_run", { run_id: runId.slice(0, 8) });
    expect(shown.structuredContent).toMatchObject({ run_id: runId, final_message: "Done." });
    await server.call("run_task", { prompt: "Again?", continue_run: runId });
    expect(JSON.stringify(mock.getLastRequest()?.body)).toMatch(/Write it\..*Done\..*Again\?/s);
  });

  test("the error that stopped a task is reported", async () => {
    const { baseUrl } = await startLoopbackModel(answerError(401, "authentication_error"));
    await using server = await connect(["--model", "anthropic/m", "--base-url", baseUrl]);
    const result = await server.call("run_task", { prompt: "Do it." });
    const code = "llm.authentication";
    expect(result).toMatchObject({ isError: true, structuredContent: { status: "error", error: { code } } });
    expect(JSON.stringify(result.content)).toContain("anthropic rejected the API key (HTTP 401)");
    const shown = await server.call("show_run", { run_id: String(Object(result.structuredContent)["run_id"]) });
    expect(shown).toMatchObject({ isError: false, structuredContent: { error: { code } } });
  });

  test("a task without an environment needs a sandbox, because no one approves its calls", async () => {
    const model = ["--model", "anthropic/m", "--base-url", "http://127.0.0.1:1/v1"];
    await using server = await connect(model, { SWITCHYARD_ENV: "", PATH: await makeFolder() });
    const refused = await server.call("run_task", { prompt: "Write it." });
    const code = "environment.default_unavailable";
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code } } });
    expect(JSON.stringify(refused.content)).toContain("`--env local` runs commands with your permissions");
  });

  test("a client cannot get more than the server was started with", async () => {
    const { baseUrl } = await startMockModel("anthropic", [WRITES, "Denied.", WRITES, "Planned."]);
    await using server = await connect(["--model", "anthropic/m", "--base-url", baseUrl, "--mode", "ask"]);
    await server.call("run_task", { prompt: "Write it." });
    await server.call("run_task", { prompt: "Write it.", plan: true });
    expect(await readdir(server.cwd)).toEqual(["a.txt"]);
    await mkdir(join(server.cwd, "inner"));
    for (const workspace of ["..", "/", server.home]) {
      const refused = await server.call("run_task", { prompt: "Write it.", workspace });
      expect(refused).toMatchObject({ isError: true });
      expect(JSON.stringify(refused.content)).toContain("is not below");
    }
    const wrong = await server.call("run_task", { prompt: 1 });
    expect(JSON.stringify(wrong.content)).toContain("it is not a string");
    expect(await server.call("nothing", {})).toMatchObject({ isError: true });
  });

  test("a client sees the runs in the served folder and below, and those it created itself, and no others", async () => {
    const { baseUrl } = await startMockModel("anthropic", ["Of another project.", "Below.", "Done.", "Beside."]);
    const model = ["--model", "anthropic/m", "--base-url", baseUrl];
    await using server = await connect([...model, "--worktree"]);
    const other = await makeFolder();
    const inner = join(server.cwd, "inner");
    await mkdir(inner);
    await symlink(other, join(server.cwd, "link"));
    for (const cwd of [other, inner]) {
      const ran = await switchyard(["run", ...model, "--json", "Look."], { cwd, env: { HOME: server.home, ...KEY } });
      expect(ran.exitCode).toBe(0);
    }
    for (const words of [
      ["init", "-q"],
      ["commit", "-q", "--allow-empty", "-m", "First"],
    ]) {
      const who = ["-c", "user.name=me", "-c", "user.email=me@host.example"];
      execFileSync("git", [...who, ...words], { cwd: server.cwd });
    }
    const made = await server.call("run_task", { prompt: "Look." });
    const { run_id: mine } = Object(made.structuredContent);
    const listed: { runs: { run_id: string }[] } = Object((await server.call("list_runs", {})).structuredContent);
    expect(listed.runs).toHaveLength(2);
    expect(listed.runs[0]?.run_id).toBe(mine);
    const below = await server.call("show_run", { run_id: listed.runs[1]?.run_id });
    expect(below.structuredContent).toMatchObject({ final_message: "Below." });
    const known = listed.runs.map(({ run_id }) => run_id);
    const all = await readdir(join(server.home, ".local/state/switchyard/runs"));
    const [hidden = ""] = all.filter((id) => !known.includes(id));
    for (const given of [
      { name: "show_run", args: { run_id: hidden } },
      { name: "run_task", args: { prompt: "What was that?", continue_run: hidden } },
    ]) {
      const refused = await server.call(given.name, given.args);
      expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "run.not_found" } } });
      expect(JSON.stringify(refused)).not.toContain("Of another project");
    }
  });

  test("a call that is cancelled interrupts its run", async () => {
    const { baseUrl } = await startLoopbackModel(
      answerCall("shell", { command: "touch begun; while [ -e begun ]; do sleep 0.05; done" }),
    );
    await using server = await connect(["--model", "anthropic/m", "--base-url", baseUrl]);
    const cancel = new AbortController();
    const call = server.call("run_task", { prompt: "Wait." }, { signal: cancel.signal });
    await expect.poll(() => readdir(server.cwd)).toContain("begun");
    cancel.abort();
    await expect(call).rejects.toThrow();
    await expect
      .poll(async () => JSON.stringify((await server.call("list_runs", {})).structuredContent))
      .toContain('"interrupted"');
  });
});
