import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEPENDENCY, type Engine, EngineError, isExecutionEnvironment, SESSION_RESULT } from "@switchyard/contracts";
import { createEngineRegistry, defineEngine, getDependency } from "@switchyard/engine";
import { createMemoryEnvironment } from "@switchyard/environment/memory";
import { openFileStore } from "@switchyard/stores/file";
import { createMemoryStore } from "@switchyard/stores/memory";
import { scriptedClient, text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { type RunOptions, run } from "../src/index.ts";
import { collect, type TemporaryWorkspace, temporaryWorkspace, typesOf } from "./temporary-session.ts";

/** Engine that writes the file `done.txt` with the content `yes`. */
const writer: Engine = defineEngine(async ({ deps }, _host, board) => {
  const environment = getDependency(deps, DEPENDENCY.environment, isExecutionEnvironment);
  await environment.writeFile("done.txt", "yes");
  board.set(SESSION_RESULT, { exit_code: 0, final_message: "Wrote done.txt." });
});

/**
 * Returns options with engine, folder and prompt. `XDG_STATE_HOME` redirects the user's state folder to that of the
 * test.
 */
function optionsIn(workspace: TemporaryWorkspace, more: Partial<RunOptions> = {}): RunOptions {
  const env = { PATH: process.env["PATH"], XDG_STATE_HOME: workspace.stateDirectory };
  return { engine: writer, environment: workspace.root, prompt: "Write done.txt.", env, ...more };
}

test("engine, folder and prompt are enough: awaiting the handle resolves with the report", async () => {
  using workspace = temporaryWorkspace();
  const report = await run(optionsIn(workspace));
  expect(report).toMatchObject({ status: "completed", result: { final_message: "Wrote done.txt." } });
  expect(readFileSync(join(workspace.root, "done.txt"), "utf8")).toBe("yes");
});

test("a run is stored in the state folder of the command by default", async () => {
  using workspace = temporaryWorkspace();
  const handle = run(optionsIn(workspace));
  const { runId } = await handle;
  expect(runId).toBe(handle.runId);
  const [stored] = await openFileStore({ directory: join(workspace.stateDirectory, "switchyard") }).list();
  expect(stored).toMatchObject({ runId, record: { status: "completed", workspace: workspace.root } });
});

test("a run with a store writes no state folder", async () => {
  using workspace = temporaryWorkspace();
  const store = createMemoryStore({ directory: join(workspace.stateDirectory, "files") });
  const report = await run(optionsIn(workspace, { store, workspaceDiff: false }));
  expect((await store.list()).map(({ runId }) => runId)).toEqual([report.runId]);
  expect(existsSync(join(workspace.stateDirectory, "switchyard"))).toBe(false);
});

test("iterating over the handle yields every event, and the report can still be awaited", async () => {
  using workspace = temporaryWorkspace();
  const handle = run(optionsIn(workspace));
  const types = typesOf(await collect(handle));
  expect(types[0]).toBe("run_start");
  expect(types.at(-1)).toBe("run_end");
  expect(typesOf(await collect(handle.events(1)))).toEqual(types.slice(1));
  expect((await handle.result).status).toBe("completed");
});

test("the built-in agent is the default engine, with its options below `agent`", async () => {
  using workspace = temporaryWorkspace();
  const client = scriptedClient([toolCall("shell", { command: "printf yes > done.txt" }), text("Wrote it.")]);
  const options = optionsIn(workspace, { engine: undefined, model: "openai/gpt-5", agent: { client } });
  const report = await run(options);
  expect(report).toMatchObject({ engine: "agent", model: "openai/gpt-5", status: "completed" });
  expect(report.result?.final_message).toBe("Wrote it.");
  expect(readFileSync(join(workspace.root, "done.txt"), "utf8")).toBe("yes");
});

test("the default environment is the current folder", async () => {
  using workspace = temporaryWorkspace();
  const looking = defineEngine(async ({ deps }, _host, board) => {
    const environment = getDependency(deps, DEPENDENCY.environment, isExecutionEnvironment);
    board.set(SESSION_RESULT, { exit_code: 0, final_message: environment.workingDirectory });
  });
  const report = await run(optionsIn(workspace, { engine: looking, environment: undefined, workspaceDiff: false }));
  expect(report.result?.final_message).toBe(process.cwd());
});

test("an environment that the caller opened stays open", async () => {
  using workspace = temporaryWorkspace();
  await using environment = createMemoryEnvironment();
  const report = await run(optionsIn(workspace, { environment }));
  expect(report.status).toBe("completed");
  expect(await environment.readFile("done.txt")).toBe("yes");
});

test("an engine can be named: in a registry, or by the path of its configuration", async () => {
  using workspace = temporaryWorkspace();
  const registry = createEngineRegistry({ mine: () => writer });
  expect(await run(optionsIn(workspace, { engine: "mine", registry }))).toMatchObject({
    engine: "mine",
    status: "completed",
  });

  const script = 'cat > /dev/null; printf \'{"exit_code":0,"final_message":"From a command."}\'';
  workspace.write(
    "engine.yaml",
    `engine:\n  name: shouter\n  custom:\n    transport: local\n    local: { command: sh, args: [-c, ${JSON.stringify(script)}] }\n`,
  );
  const report = await run(optionsIn(workspace, { engine: join(workspace.root, "engine.yaml") }));
  expect(report).toMatchObject({ engine: "shouter", status: "completed" });
  expect(report.result?.final_message).toBe("From a command.");
});

test("limits reach the engine, and a run that exceeds its time limit times out", async () => {
  using workspace = temporaryWorkspace();
  const waiting = defineEngine(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
  );
  const report = await run(optionsIn(workspace, { engine: waiting, timeoutSeconds: 1 }));
  expect(report.status).toBe("timed_out");
});

test("calls made before the run has started take effect when it starts", async () => {
  using workspace = temporaryWorkspace();
  const waiting = defineEngine(async ({ signal }, host) => {
    const interrupt = await host.interrupts()?.receive(signal);
    throw new EngineError("run.interrupted", { cause: interrupt?.cause });
  });
  const handle = run(optionsIn(workspace, { engine: waiting }));
  const early = expect.objectContaining({ code: "prompt.unknown" });
  expect(() => handle.answer("nobody-asked", { parts: [] })).toThrow(early);
  handle.interrupt({ cause: "user_cancel" });
  expect((await handle).status).toBe("interrupted");
});

test.each<[string, Partial<RunOptions>, string]>([
  ["an empty prompt", { prompt: " " }, "config.invalid"],
  ["an unknown engine", { engine: "nobody" }, "engine.not_found"],
  ["a missing engine file", { engine: "./missing.yaml" }, "input.unreadable"],
  ["a missing folder", { environment: "/nowhere/at/all" }, "workspace.not_found"],
  ["an empty path", { environment: "" }, "config.invalid"],
  ["an invalid run id", { runId: "../x" }, "run.invalid_id"],
  ["an agent without a key", { engine: "agent" }, "model.not_configured"],
])("%s rejects the handle and its events with an error of the table", async (_what, options, code) => {
  using workspace = temporaryWorkspace();
  await expect(run(optionsIn(workspace, options))).rejects.toMatchObject({ code });
  await expect(collect(run(optionsIn(workspace, options)))).rejects.toMatchObject({ code });
  expect(existsSync(join(workspace.root, "done.txt"))).toBe(false);
});

test("an agent without environment variables names the option that is missing", async () => {
  using workspace = temporaryWorkspace();
  const { stateDirectory } = workspace;
  const failing = run({ prompt: "Do it.", environment: workspace.root, stateDirectory });
  await expect(failing).rejects.toMatchObject({
    code: "config.invalid",
    message: expect.stringContaining("process.env"),
  });
});

test("values of secret variables are masked in the report", async () => {
  using workspace = temporaryWorkspace();
  const leaking = defineEngine(async (_run, _host, board) => {
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "The key is hunter2-hunter2." });
  });
  const options = optionsIn(workspace, { engine: leaking });
  const report = await run({ ...options, env: { ...options.env, MY_API_KEY: "hunter2-hunter2" } });
  expect(report.result?.final_message).toBe("The key is ***REDACTED***.");
});

test("the API key of an engine that calls models through the gateway is masked in the report", async () => {
  using workspace = temporaryWorkspace();
  const apiKey = "plain-words-of-a-given-key";
  const script = `cat > /dev/null; printf '{"exit_code":0,"final_message":"The key is ${apiKey}."}'`;
  const local = { command: "sh", args: ["-c", script, "sh", `\${model_base_url}`] };
  const document = { engine: { name: "caller", model: { provider: "openai" }, custom: { transport: "local", local } } };
  workspace.write("engine.json", JSON.stringify(document));
  const engine = join(workspace.root, "engine.json");
  const report = await run(optionsIn(workspace, { engine, agent: { apiKey } }));
  expect(report.result?.final_message).toBe("The key is ***REDACTED***.");
});
