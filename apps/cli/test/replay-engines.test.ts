import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { execa } from "execa";
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
    env: { OPENAI_BASE_URL: "\${model_base_url}/v1", OPENAI_API_KEY: "\${model_token}" }
    local: { command: ${process.execPath}, args: [agent.mjs] }
`;

/** Agent that asks the model twice about a file, the second time with its own token and with the key of the provider. */
const AGENT = `
import { readFileSync } from "node:fs";
const { OPENAI_BASE_URL: url, OPENAI_API_KEY: key } = process.env;
const answers = [];
for (const secrets of ["", key + " ${KEY}"]) {
  const content = process.cwd() + ": " + readFileSync("a.txt", "utf8") + secrets;
  const body = JSON.stringify({ model: "gpt-6.2-sol", stream: true, messages: [{ role: "user", content }] });
  const headers = { "content-type": "application/json", authorization: "Bearer " + key };
  const response = await fetch(url + "/chat/completions", { method: "POST", headers, body });
  const pieces = [...(await response.text()).matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece);
  answers.push(response.status + " " + pieces.join(""));
}
console.log(answers.join(", "));
`;

/** Simulates the command \`claude\`, which asks a model about a file and reports the response. */
const CLAUDE = `#!${process.execPath}
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } = process.env;
const args = process.argv.slice(2);
const session_id = args[args.indexOf("--session-id") + 1];
const say = (event) => console.log(JSON.stringify({ ...event, session_id }));
const model = "claude-sonnet-5-5";
const content = process.cwd() + ": " + require("node:fs").readFileSync("a.txt", "utf8");
const body = { model, max_tokens: 100, messages: [{ role: "user", content }], metadata: { user_id: session_id } };
const headers = { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" };
fetch(url + "/v1/messages", { method: "POST", headers, body: JSON.stringify(body) }).then(async (response) => {
  const answer = await response.json();
  const text = response.status + " " + answer.content?.[0].text;
  say({ type: "system", subtype: "init", model });
  say({ type: "assistant", message: { id: "m1", role: "assistant", content: [{ type: "text", text }], model } });
  say({ type: "result", subtype: "success", is_error: false, result: text });
});
`;

/** Creates a git repository, and returns functions that run the command in it and commit a change. */
async function makeRepository(files: Readonly<Record<string, string>>) {
  const [cwd, home] = [await makeFolder({ "a.txt": "one\n", ...files }), await makeFolder()];
  const git = (...argv: string[]) =>
    execa("git", ["-C", cwd, "-c", "user.name=T", "-c", "user.email=t@e.org", ...argv]);
  await git("init", "--quiet");
  const commit = async (): Promise<void> => {
    await git("add", "--all");
    await git("commit", "--quiet", "--message=next");
  };
  await commit();
  const runs = join(home, ".local/state/switchyard/runs");
  return {
    enter: (words: readonly string[], env: Record<string, string>) =>
      switchyard(words, { cwd, env: { HOME: home, ...env } }),
    change: async (text: string) => {
      await writeFile(join(cwd, "a.txt"), text);
      await commit();
    },
    recording: async () => {
      const [runId = ""] = await readdir(runs);
      return await readFile(join(runs, runId, "recording.jsonl"), "utf8");
    },
  };
}

const NO_DIFFERENCE = { exitCode: 0, stderr: "" };

test("a run of a custom engine is replayed without a key and a model, and reports the first difference", async () => {
  const { baseUrl, mock } = await startMockModel("openai", ["It says one.", "Done."]);
  const { enter, change, recording } = await makeRepository({ "engine.yaml": ENGINE, "agent.mjs": AGENT });
  const keyed = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: baseUrl };
  const run = await enter(["run", "--engine", "engine.yaml", "--json", "Read."], keyed);
  expect(run).toMatchObject(NO_DIFFERENCE);
  const answer = "200 It says one., 200 Done.";
  expect(JSON.parse(run.stdout).result.final_message).toBe(answer);
  const recorded = await recording();
  expect(recorded).toMatch(/^\{"format":"switchyard\/model-calls"/);
  expect([recorded.includes(KEY), recorded.includes("sw-run-")]).toEqual([false, false]);
  const replay = await enter(["replay", "last"], {});
  expect(replay).toMatchObject(NO_DIFFERENCE);
  expect(replay.stdout).toContain(answer);
  expect(replay.stdout).toContain("No difference: 2 model calls match the recording.");
  await change("two\n");
  const different = await enter(["replay", "last"], {});
  expect(different.exitCode).toBe(1);
  expect(different.stdout).toMatch(
    /Difference: Model call 1 does not match the recording: request\.messages\[0\]\.content .*one.*two/,
  );
  const json = await enter(["replay", "last", "--json"], {});
  expect(JSON.parse(json.stdout)).toMatchObject({ same: false, calls: 2, difference: { index: 1 } });
  expect(mock.getRequests()).toHaveLength(2);
});

test("a run of a third-party agent is replayed without a key and a model, unless it called models directly", async () => {
  const { baseUrl, mock } = await startMockModel("anthropic", ["It says one.", "Done."]);
  const bin = await makeFolder({ claude: CLAUDE });
  await chmod(join(bin, "claude"), 0o755);
  const path = { PATH: `${bin}${delimiter}${process.env["PATH"]}` };
  const { enter, change } = await makeRepository({});
  const keyed = { ...path, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: baseUrl.replace(/\/v1$/, "") };
  const words = ["run", "--engine", "claude-code", "Read."];
  expect(await enter(words, keyed)).toMatchObject(NO_DIFFERENCE);
  const replay = await enter(["replay", "last"], path);
  expect(replay).toMatchObject(NO_DIFFERENCE);
  expect(replay.stdout).toContain("200 It says one.");
  expect(replay.stdout).toContain("No difference: 1 model call match the recording.");
  const without = await enter(["replay", "last"], { PATH: process.env["PATH"] ?? "" });
  expect(without.exitCode).toBe(1);
  expect(without.stdout).toContain("Difference: 1 recorded model calls were never made.");
  expect(without.stderr).toMatch(/^error: .*claude/);
  await change("two\n");
  expect((await enter(["replay", "last"], path)).stdout).toContain("Difference: Model call 1");
  expect(mock.getRequests()).toHaveLength(1);
  expect(await enter([...words, "--direct"], keyed)).toMatchObject({ exitCode: 0 });
  const direct = await enter(["replay", "last"], path);
  expect([direct.exitCode, direct.stderr]).toEqual([2, expect.stringContaining("its recording is missing.")]);
});
