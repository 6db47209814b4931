import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const SERVER = resolve(import.meta.dirname, "fixtures/mcp-server.mjs");
const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
const TOKEN = "t0ken-that-nobody-may-see";

/** Returns a configuration with one server, whose token refers to an environment variable. */
function configOf(mode: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration contains a variable reference.
  const env = { DEMO_TOKEN: "${HOST_TOKEN}" };
  return JSON.stringify({ mcpServers: { demo: { command: process.execPath, args: [SERVER, mode], env } } });
}

test("the tools of MCP servers in a file are called, and no process or file of them remains [loop-8-1]", async () => {
  const { baseUrl, mock } = await startMockModel("anthropic", [{ name: "demo__probe", arguments: {} }, "All done."]);
  const cwd = await makeFolder({ "mcp.json": configOf("") });
  const state = await makeFolder();
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "--mcp-config", "mcp.json"];
  const run = await switchyard([...words, "Probe it."], { cwd, env: { ...KEY, HOST_TOKEN: TOKEN } });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("demo__probe");
  expect(JSON.stringify(mock.getLastRequest()?.body)).toContain(`the token is ${TOKEN}`);
  const pid = Number(await readFile(join(cwd, "pid"), "utf8"));
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  const [id = ""] = await readdir(join(state, "runs"));
  expect(await readFile(join(state, "runs", id, "events.jsonl"), "utf8")).not.toContain(TOKEN);
});

test("an invalid file of MCP servers is refused before anything runs", async () => {
  const cwd = await makeFolder({ "none.json": '{"mcpServers": {"demo": {"args": []}}}', "half.json": "{" });
  for (const [file, problem] of [
    ["none.json", "The setting mcpServers.demo is invalid: it has neither a command nor an url"],
    ["half.json", "half.json"],
    ["missing.json", "missing.json"],
  ]) {
    const words = ["run", "--model", "anthropic/m", "--mcp-config", file ?? "", "Probe it."];
    const run = await switchyard(words, { cwd, env: KEY });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(problem);
  }
});

test("a run that is resumed has its servers again, unless their file is another one by now", async ({ skip }) => {
  skip(process.env["SWITCHYARD_ALWAYS_RESUME"] !== undefined, "the test kills runs itself");
  const { baseUrl, mock } = await startMockModel("anthropic", [
    { name: "demo__probe", arguments: {} },
    { name: "demo__probe", arguments: {} },
    "All done.",
  ]);
  const state = await makeFolder();
  const cwd = await makeFolder({ "mcp.json": configOf("mute-once") });
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "--mcp-config", "mcp.json"];
  const env = { ...KEY, HOST_TOKEN: TOKEN };
  const { command } = await startSwitchyard([...words, "Probe it."], { cwd, env });
  while (!existsSync(join(cwd, "called"))) await new Promise((resolve) => setTimeout(resolve, 10));
  command.kill("SIGKILL");
  await command;

  await writeFile(join(cwd, "mcp.json"), `${configOf("mute-once")}\n`);
  const resume = ["resume", (await readdir(join(state, "runs")))[0] ?? "", "--state", state];
  const refused = await switchyard(resume, { cwd, env });
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("mcp.json has changed since the run started");

  const resumed = await switchyard([...resume, "--mcp-config", "mcp.json"], { cwd, env });
  expect(resumed).toMatchObject({ exitCode: 0, stderr: "" });
  const body = JSON.stringify(mock.getLastRequest()?.body);
  expect(body).toContain("unknown_outcome");
  expect(body).toContain(`the token is ${TOKEN}`);
});
