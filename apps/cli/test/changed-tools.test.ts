import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";
import { noTerminal, startOnTerminal } from "./terminal.ts";

const SERVER = resolve(import.meta.dirname, "fixtures/changing-mcp-server.mjs");
const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
const CHANGED = "has changed the tool's description";
/** Output of the command while it waits for an answer. */
const PROMPT = "\r\n> ";
const without = await noTerminal();

const PROBE: MockAnswer = { name: "demo__probe", arguments: {} };

/** Prepares a run with an MCP server that changes its tool during the first of `count` calls. */
async function placeFor(count: number, ...options: readonly string[]) {
  const calls = Array.from({ length: count }, () => PROBE);
  const { baseUrl, mock } = await startMockModel("anthropic", [...calls, "All done."]);
  const config = JSON.stringify({ mcpServers: { demo: { command: process.execPath, args: [SERVER] } } });
  const cwd = await makeFolder({ "mcp.json": config });
  const model = ["--model", "anthropic/m", "--base-url", baseUrl, "--state", await makeFolder()];
  return {
    cwd,
    words: ["run", ...model, "--mcp-config", "mcp.json", ...options, "Do it."],
    lastRequest: () => JSON.stringify(mock.getLastRequest()?.body),
    called: () => readFile(join(cwd, "calls"), "utf8"),
  };
}

test.each([
  ["a rule for all tools of its server", "demo__*"],
  ["a rule for the tool", "demo__probe"],
])(
  "an MCP tool that its server changes is no longer called by %s if nobody can be asked [loop-8-4]",
  async (_rule, rule) => {
    const place = await placeFor(2, "--allow", rule, "--events", "jsonl");
    const { exitCode, stdout, stderr } = await switchyard(place.words, { cwd: place.cwd, env: KEY });
    expect([exitCode, await place.called()], stderr).toEqual([0, "{}\n"]);
    expect(place.lastRequest()).toContain(CHANGED);
    expect(stdout).toContain(CHANGED);
  },
);

test("a tool that never asks continues to run: --approve never allows each version [loop-8-4]", async () => {
  const place = await placeFor(2, "--approve", "never");
  const { exitCode, stderr } = await switchyard(place.words, { cwd: place.cwd, env: KEY });
  expect([exitCode, await place.called()], stderr).toEqual([0, "{}\n{}\n"]);
});

test("a user who allowed an MCP tool for the session is asked again when its server changes it, and told why [loop-8-4]", async ({
  skip,
}) => {
  skip(without !== undefined, without);
  const place = await placeFor(3, "--approve", "always");
  const terminal = await startOnTerminal(place.words, { env: KEY, cwd: place.cwd });
  await terminal.until("? The agent wants to use demo__probe");
  await terminal.until(PROMPT);
  terminal.type("s\r");
  await terminal.until(CHANGED);
  await terminal.until(PROMPT);
  terminal.type("s\r");
  const { exitCode, shown } = await terminal.end();
  expect(exitCode, shown).toBe(0);
  expect(shown.split(CHANGED)).toHaveLength(2);
  expect(await place.called()).toBe("{}\n{}\n{}\n");
});
