import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../src/program/run-program.ts";
import { createFakeContext } from "./fake-context.ts";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { makeFolder } from "./start-switchyard.ts";

/** Starts a run with these options in a new folder. Returns functions that fork it and read the stored runs. */
async function startRun(options: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const answers: MockAnswer[] = ["First.", "Second.", "Third."];
  const { baseUrl, mock } = await startMockModel("anthropic", answers);
  const [state, cwd] = [await makeFolder(), await makeFolder(files)];
  const key = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
  const env = { PATH: process.env["PATH"] ?? "", SWITCHYARD_ENV: "local", ...key };
  const enter = async (...words: string[]) => {
    const fake = createFakeContext({ env, workingDirectory: cwd, homeDirectory: state, words });
    return { exitCode: await runProgram(fake.context), printed: fake.printed(), told: fake.told() };
  };
  const model = ["--model", "anthropic/m", "--base-url", baseUrl, "--state", state];
  expect(await enter("run", ...model, ...options, "Think.")).toMatchObject({ exitCode: 0 });
  const runIds = async (): Promise<string[]> => (await readdir(join(state, "runs"))).sort();
  const [first = ""] = await runIds();
  return {
    cwd,
    first,
    fork: (...words: string[]) => enter("runs", "fork", first, "--state", state, ...words),
    requests: () => mock.getRequests().map(({ body }) => Object(body)),
    settings: async (): Promise<unknown> => {
      const newest = join(state, "runs", (await runIds()).at(-1) ?? "");
      return JSON.parse(await readFile(join(newest, "request.json"), "utf8")).settings;
    },
  };
}

test("a fork continues the conversation with the settings of the run, unless an option replaces them", async () => {
  const { fork, first, requests, settings } = await startRun(["--mode", "plan", "--mcp-wait", "7"]);
  expect(await fork("--model", "anthropic/other", "Go on.")).toMatchObject({ exitCode: 0 });
  const request = requests().at(-1);
  expect(request.model).toBe("other");
  expect(JSON.stringify(request.messages)).toMatch(/Think\..*First\..*Go on\./s);
  expect(await settings()).toMatchObject({ forked_from: first, mode: "plan", mcp_wait: 7 });
});

test("a fork without a prompt repeats the task in a new conversation", async () => {
  const { fork, requests } = await startRun([]);
  expect(await fork()).toMatchObject({ exitCode: 0 });
  const request = requests().at(-1);
  expect(request.model).toBe("m");
  expect(JSON.stringify(request.messages)).toContain("Think.");
  expect(JSON.stringify(request.messages)).not.toContain("First.");
});

test("a fork is refused before it starts if a file of the run has changed, because the agent may have changed it", async () => {
  const files = { "mcp.json": '{ "mcpServers": {} }' };
  const { cwd, fork, requests, settings } = await startRun(["--mcp-config", "mcp.json"], files);
  expect(await fork("Go on.")).toMatchObject({ exitCode: 0 });
  expect(await settings()).toMatchObject({ mcp_config: { path: join(cwd, "mcp.json") } });
  await writeFile(join(cwd, "mcp.json"), '{ "mcpServers": { "evil": { "command": "evil" } } }');
  const before = requests().length;
  const refused = await fork("Go on.");
  expect(refused).toMatchObject({ exitCode: 2, told: expect.stringContaining("has changed since the run started") });
  expect(refused.told).toContain("--mcp-config");
  expect(requests()).toHaveLength(before);
});
