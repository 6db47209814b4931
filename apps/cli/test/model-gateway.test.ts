import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { sandboxReadiness } from "@switchyard/environment/local";
import { expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const KEY = "sk-canary-of-the-provider-0123456789";

const ENGINE = `engine:
  name: mine
  model: { provider: openai, name: gpt-6.2-sol }
  custom:
    transport: local
    response_format: text
    env:
      OPENAI_BASE_URL: \${model_base_url}/v1
      OPENAI_API_KEY: \${model_token}
    local:
      command: ${process.execPath}
      args: [agent.mjs]
`;

/** Agent that calls the model CALLS times, and prints the status of each response and whether it found the key. */
const AGENT = `
const { OPENAI_BASE_URL: url, OPENAI_API_KEY: key } = process.env;
const statuses = [];
async function call(authorization) {
  const headers = { "content-type": "application/json", authorization };
  const body = JSON.stringify({ model: "gpt-6.2-sol", messages: [{ role: "user", content: "Hello" }] });
  const response = await fetch(url + "/chat/completions", { method: "POST", headers, body });
  await response.text();
  statuses.push(response.status);
}
await call("Bearer of-another-run");
for (let calls = 0; calls < 3; calls += 1) await call("Bearer " + key);
const hasKey = JSON.stringify(process.env).includes("canary-of-the-provider");
console.log(statuses.join(" ") + (hasKey ? " found the key" : ""));
`;

test("a custom engine calls models through the gateway, which measures, limits and reports its calls", async () => {
  const cwd = await makeFolder({ "engine.yaml": ENGINE, "agent.mjs": AGENT });
  const { baseUrl, mock } = await startMockModel("openai", ["One.", "Two.", "Three.", "Four.", "Five."]);
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: baseUrl };
  const words = ["run", "--engine", "engine.yaml", "--state", "state", "--output", "result.json"];
  const run = await switchyard([...words, "--json", "Review."], { cwd, env });
  expect([run.exitCode, run.stderr]).toEqual([0, ""]);
  const { result, usage, runId } = JSON.parse(run.stdout);
  expect(result).toMatchObject({ final_message: "401 200 200 200", input_tokens: 30, output_tokens: 15 });
  expect(usage).toMatchObject({ inputTokens: 30, outputTokens: 15, costMicros: 210 });
  expect(mock.getRequests()).toHaveLength(3);
  const events = await readFile(join(cwd, "state", "runs", runId, "events.jsonl"), "utf8");
  const refused = '"code":"gateway.token_unknown"';
  expect([events.split('"usage_reported"').length - 1, events.includes(refused), events.includes(KEY)]).toEqual([
    ...[3, true, false],
  ]);
  const limited = await switchyard([...words, "--max-tokens", "20", "--json", "Review."], { cwd, env });
  expect(limited.exitCode).not.toBe(0);
  const report = JSON.parse(limited.stdout);
  expect(report).toMatchObject({ usage: { inputTokens: 20, outputTokens: 10 } });
  expect(JSON.stringify(report)).toContain("budget.exceeded");
  expect(mock.getRequests()).toHaveLength(5);
});

test("an engine may call only the model of its file, or the models that --allow-model names", async () => {
  const cwd = await makeFolder({ "engine.yaml": ENGINE, "agent.mjs": AGENT });
  const { baseUrl, mock } = await startMockModel("openai", ["One.", "Two.", "Three."]);
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: baseUrl };
  const words = ["run", "--engine", "engine.yaml", "--state", "state", "--json", "Review."];
  const messageOf = async (more: readonly string[]): Promise<string> => {
    const { stdout } = await switchyard([...words, ...more], { cwd, env });
    return JSON.parse(stdout).result.final_message;
  };
  // The agent calls another model than the one that it was told to use.
  expect(await messageOf(["--model", "openai/gpt-6.2-mini"])).toBe("401 403 403 403");
  expect(await messageOf(["--allow-model", "openai/other"])).toBe("401 403 403 403");
  expect(mock.getRequests()).toHaveLength(0);
  expect(await messageOf(["--allow-model", "openai/other,openai/gpt-6.2-*"])).toBe("401 200 200 200");
  const agent = await switchyard(["run", "--model", "openai/m", "--allow-model", "openai/m", "Hello."], { cwd, env });
  expect([agent.exitCode, agent.stderr]).toEqual([2, expect.stringMatching(/--allow-model.*model gateway/)]);
});

/** Simulates the command `claude`: it calls a model, and reports the status and less usage than that of the call. */
const CLAUDE = `#!${process.execPath}
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } = process.env;
const args = process.argv.slice(2);
const session_id = args[args.indexOf("--session-id") + 1];
const say = (event) => console.log(JSON.stringify({ ...event, session_id }));
const body = { model: "claude-sonnet-5-5", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };
const headers = { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" };
fetch(url + "/v1/messages", { method: "POST", headers, body: JSON.stringify(body) }).then(async (response) => {
  await response.text();
  const found = key.includes("canary-of-the-provider") ? "the key" : "a token";
  say({ type: "system", subtype: "init", model: body.model });
  const text = "I have " + found + ", status " + response.status + ".";
  say({ type: "assistant", message: { id: "m1", role: "assistant", content: [{ type: "text", text }], model: body.model } });
  const modelUsage = { [body.model]: { inputTokens: 8, outputTokens: 1 } };
  say({ type: "result", subtype: "success", is_error: false, result: text, modelUsage });
});
`;

test("a third-party agent uses the gateway if there is an API key, and the key itself with --direct", async () => {
  const bin = await makeFolder({ claude: CLAUDE });
  await chmod(join(bin, "claude"), 0o755);
  const { baseUrl } = await startMockModel("anthropic", ["One.", "Two.", "Three.", "Four.", "Five.", "Six."]);
  const path = { PATH: `${bin}${delimiter}${process.env["PATH"]}` };
  const env = { ...path, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: baseUrl.replace(/\/v1$/, "") };
  const words = ["run", "--engine", "claude-code", "--state", await makeFolder(), "--json", "Hello."];
  const run = await switchyard(words, { cwd: await makeFolder(), env });
  expect([run.exitCode, run.stderr]).toEqual([0, ""]);
  expect(JSON.parse(run.stdout)).toMatchObject({
    result: { final_message: "I have a token, status 200.", input_tokens: 10 },
    usage: { inputTokens: 10, outputTokens: 5 },
  });
  const direct = await switchyard([...words, "--direct"], { cwd: await makeFolder(), env });
  expect(JSON.parse(direct.stdout)).toMatchObject({ usage: { inputTokens: 8, outputTokens: 1 } });
  const task = { schema: "homeboy/agent-task-request/v1", task_id: "t", executor: { backend: "switchyard" } };
  const input = JSON.stringify({ ...task, instructions: "Hello.", workspace: { root: await makeFolder() } });
  const exec = ["runtimes", "exec", "claude-code", "--state", await makeFolder()];
  const executed = await switchyard(exec, { env, input });
  expect(JSON.parse(executed.stdout).summary).toContain("I have a token, status 200.");
  expect(executed.stderr).toMatch(/^model access: gateway\n/);
  const execDirect = await switchyard([...exec, "--direct"], { env, input });
  expect(JSON.parse(execDirect.stdout).summary).toContain("I have the key, status 200.");
  expect(execDirect.stderr).toMatch(/^model access: direct \(the gateway is switched off\)\n/);
  const yaml = `cases: [{ id: a, prompt: Hello., assert: [{ contains: status 200 }] }]\nengines: [claude-code]\n`;
  const evaluated = { cwd: await makeFolder({ "eval.yaml": yaml }), env };
  const measured = await switchyard(["eval", "eval.yaml", "--output", "a", "--json"], evaluated);
  expect(measured.exitCode).toBe(0);
  expect(JSON.parse(measured.stdout)).toMatchObject({ trials: [{ usage: { input_tokens: 10 } }] });
  const unmeasured = await switchyard(["eval", "eval.yaml", "--output", "b", "--json", "--direct"], evaluated);
  expect(JSON.parse(unmeasured.stdout)).toMatchObject({ trials: [{ usage: { input_tokens: 8 } }] });
  const doctor = async (variables: Record<string, string>): Promise<string> =>
    (await switchyard(["engines", "doctor", "claude-code"], { cwd: await makeFolder(), env: variables })).stdout;
  expect(await doctor(env)).toContain("\n  model access: gateway");
  expect(await doctor(path)).toContain("\n  model access: direct (own login of claude-code)");
  // Agents use a key in a variable rather than a stored login, except Codex, which does not read this variable.
  const home = await makeFolder();
  for (const file of [".claude/.credentials.json", ".codex/auth.json"]) {
    await mkdir(join(home, dirname(file)));
    await writeFile(join(home, file), "{}");
  }
  expect(await doctor({ ...env, HOME: home })).toContain("\n  model access: gateway");
  const codex = { ...path, HOME: home, OPENAI_API_KEY: KEY };
  const told = await switchyard(["engines", "doctor", "codex"], { cwd: await makeFolder(), env: codex });
  expect(told.stdout).toContain("\n  model access: direct (own login of codex)");
  const cwd = await makeFolder();
  const unknown = await switchyard(["engines", "doctor", "codex"], { cwd, env: { ...codex, HOME: cwd } });
  expect(unknown.stdout).toContain("\n  model access: gateway");
});

test("a resumed run in a sandbox uses the gateway too, although the user has a login that the sandbox hides", async ({
  skip,
}) => {
  const { missing } = await sandboxReadiness({ ...process.env });
  skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
  const [cwd, home] = [await makeFolder(), await makeFolder()];
  await mkdir(join(home, ".codex"));
  await writeFile(join(home, ".codex/auth.json"), "{}");
  const bin = await makeFolder({ codex: "#!/bin/sh\nexit 1\n" });
  await chmod(join(bin, "codex"), 0o755);
  const env = { HOME: home, OPENAI_API_KEY: KEY, PATH: `${bin}${delimiter}${process.env["PATH"]}` };
  const run = ["run", "--engine", "codex", "--env", "sandbox", "--allow-model", "openai/*", "--json", "Hello."];
  const started = await switchyard(run, { cwd, env });
  expect(JSON.parse(started.stdout)).toMatchObject({ status: "error", environment: "sandbox" });
  // Without the gateway, `--allow-model` would be refused before the engine starts.
  const resumed = await switchyard(["resume", "last", "--json"], { cwd, env });
  expect(JSON.parse(resumed.stdout)).toMatchObject({ error: JSON.parse(started.stdout).error });
});
