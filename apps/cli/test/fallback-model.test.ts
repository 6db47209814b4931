import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const KEYS = { OPENAI_API_KEY: "key-of-openai-not-real", ANTHROPIC_API_KEY: "key-of-anthropic-not-real" };
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a model server that rejects every request. */
async function startFailing(status: number, message: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.headers.authorization));
    response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
    response.end(JSON.stringify({ error: { message, type: "error" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return { url: `http://127.0.0.1:${Object(server.address()).port}/v1`, asked };
}

async function openPlace(status: number, message: string) {
  const failing = await startFailing(status, message);
  const { baseUrl, mock } = await startMockModel("anthropic", [
    { name: "read_file", arguments: { file_path: "a.txt" } },
    "It says one.",
  ]);
  const cwd = await makeFolder({ "a.txt": "one\n" });
  const env = { ...KEYS, OPENAI_BASE_URL: failing.url, ANTHROPIC_BASE_URL: baseUrl };
  const enter = (words: readonly string[], more: Record<string, string> = {}) =>
    switchyard(words, { cwd, env: { ...env, ...more } });
  return { enter, failing, mock };
}

const RUN = ["run", "--json", "--model", "openai/first", "--fallback-model", "anthropic/second"];

test.each([
  [404, "The model `first` does not exist", 1],
  [402, "insufficient_quota: you have no credits left", 1],
  [401, "Incorrect API key provided", 1],
  [503, "overloaded", 3],
])(
  "a model that fails permanently with %i is replaced for the rest of the run, which reports it",
  async (status, message, calls) => {
    const { enter, failing, mock } = await openPlace(status, message);
    const words = RUN.filter((word) => word !== "--json");
    const { exitCode, stdout } = await enter([...words, "--events", "jsonl", "What does a.txt say?"]);
    const events = stdout.split("\n").map((line): unknown => JSON.parse(line));
    expect([exitCode, Object(events.at(-1)).result.final_message]).toEqual([0, "It says one."]);
    const fallback = {
      from: "openai/first",
      to: "anthropic/second",
      error: { code: expect.stringMatching(/^llm\./u) },
    };
    const told = events.filter((event) => Object(event).type === "model_fallback");
    expect(told.map((event) => Object(event).payload)).toMatchObject([fallback]);
    expect(Object(events.at(-1)).report.modelFallbacks).toMatchObject([fallback]);
    expect(failing.asked).toHaveLength(calls);
    expect(mock.getRequests()).toHaveLength(2);
  },
);

const ENGINE = `engine:
  name: mine
  model: { provider: openai, name: first }
  custom:
    transport: local
    response_format: text
    env: { URL: "\${model_base_url}/v1/chat/completions", TOKEN: "\${model_token}" }
    local: { command: ${process.execPath}, args: [agent.mjs] }
`;

/** Agent that calls the model `first` twice, and prints the status of each response. */
const AGENT = `
const statuses = [];
for (let calls = 0; calls < 2; calls += 1) {
  const body = JSON.stringify({ model: "first", messages: [{ role: "user", content: "Hello" }] });
  const headers = { "content-type": "application/json", authorization: "Bearer " + process.env.TOKEN };
  const response = await fetch(process.env.URL, { method: "POST", headers, body });
  await response.text();
  statuses.push(response.status);
}
console.log(statuses.join(" "));
`;

test("the gateway replaces a failed model of another engine for the rest of the run, which reports it", async () => {
  const failing = await startFailing(404, "The model `first` does not exist");
  const { baseUrl, mock } = await startMockModel("openai-compatible", ["One.", "Two."]);
  const cwd = await makeFolder({ "engine.yaml": ENGINE, "agent.mjs": AGENT });
  const env = { ...KEYS, OPENAI_BASE_URL: failing.url, OPENAI_COMPATIBLE_BASE_URL: baseUrl };
  const words = ["run", "--engine", "engine.yaml", "--fallback-model", "gemini/third,openai-compatible/second"];
  const { exitCode, stdout, stderr } = await switchyard([...words, "--json", "hello"], { cwd, env });
  expect([exitCode, stderr]).toEqual([
    0,
    "warning: the fallback model gemini/third will not be used, because there is no API key of gemini",
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    result: { final_message: "200 200" },
    modelFallbacks: [
      { from: "openai/first", to: "openai-compatible/second", error: { code: "gateway.upstream_failed" } },
    ],
  });
  expect(failing.asked).toEqual([`Bearer ${KEYS.OPENAI_API_KEY}`]);
  expect(mock.getRequests().map(({ body }) => Object(body).model)).toEqual(["second", "second"]);
});

test("an invalid request does not cause a change of the model", async () => {
  const { enter, mock } = await openPlace(400, "Unknown parameter: tools");
  const { exitCode, stdout } = await enter([...RUN, "hello"]);
  expect([exitCode, JSON.parse(stdout).error.code]).toEqual([3, "llm.invalid_request"]);
  expect(mock.getRequests()).toEqual([]);
});

test("a key that is given on the command line stays with its provider", async () => {
  const { enter, failing } = await openPlace(404, "no such model");
  const { exitCode } = await enter([...RUN, "--api-key", "given-key-not-real", "hello"]);
  expect([exitCode, failing.asked]).toEqual([0, ["Bearer given-key-not-real"]]);
  const without = await enter([...RUN, "--api-key", "given-key-not-real", "hello"], { ANTHROPIC_API_KEY: "" });
  expect([without.exitCode, JSON.parse(without.stdout).error.code]).toEqual([2, "model.missing_key"]);
});

test("a settings file names fallback models, several separated by commas, and options override it", async () => {
  const { enter, failing, mock } = await openPlace(404, "no such model");
  const config = await makeFolder();
  const home = { XDG_CONFIG_HOME: config };
  await mkdir(join(config, "switchyard"));
  const text = "model: openai/first\nfallback_model: openai/other, anthropic/second\n";
  await writeFile(join(config, "switchyard/config.yaml"), text);
  const { exitCode, stderr } = await enter(["run", "hello"], home);
  expect([exitCode, failing.asked.length, mock.getRequests().length], stderr).toEqual([0, 2, 2]);
  const typed = await enter(["run", "--fallback-model", "openai/typed", "hello"], home);
  expect([typed.exitCode, failing.asked.length]).toEqual([3, 4]);
});

test.each(["second", "anthropic/", "anthropic/a,,openai/b"])("%s is not a valid list of models", async (value) => {
  const { exitCode, stderr } = await switchyard(["run", "--fallback-model", value, "hello"]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Write provider/name")]);
});
