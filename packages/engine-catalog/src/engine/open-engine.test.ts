import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getDefaultModel } from "@switchyard/llm";
import { afterAll, expect, test } from "vitest";
import { checkEngineConfig } from "./check-engine-config.ts";
import type { EngineHost } from "./engine-host.ts";
import { acceptsSteering, openEngine } from "./open-engine.ts";
import { webSearchOf, webSearchProblem } from "./web-search.ts";

const folder = await mkdtemp(join(tmpdir(), "engine-catalog-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const BASE_URL = "http://127.0.0.1:9/v1";

function hostOf(warnings: string[] = []): EngineHost {
  return {
    ...{ env: {}, homeDirectory: folder, workingDirectory: folder, now: () => 0, createdBy: "test 1.0" },
    importModule: (path) => Promise.reject(new Error(`${path} was imported`)),
    onWarning: (problem) => void warnings.push(problem),
  };
}

test("the built-in agent is opened by its name, without a key if the server has a base URL", async () => {
  const request = { engine: "agent", model: "openai-compatible/m", baseUrl: BASE_URL };
  const opened = await openEngine(hostOf(), request);
  expect(opened).toMatchObject({ engineName: "agent", model: "openai-compatible/m", createdBy: "test 1.0" });
  expect(acceptsSteering(opened)).toBe(true);
  const withoutServer = openEngine(hostOf(), { engine: "agent", model: "anthropic/m" });
  await expect(withoutServer).rejects.toMatchObject({ code: "model.missing_key" });
});

test.each([
  ["ANTHROPIC_API_KEY", "anthropic"],
  ["OPENAI_API_KEY", "openai"],
  ["GEMINI_API_KEY", "gemini"],
])("with only %s set, the agent uses the default model of %s", async (variable, provider) => {
  const { model } = await openEngine({ ...hostOf(), env: { [variable]: "k" } }, { engine: "agent" });
  expect(model).toBe(`${provider}/${getDefaultModel(provider)?.id}`);
});

test("an adapter is opened by its name, and warns of settings that have no effect", async () => {
  const warnings: string[] = [];
  const opened = await openEngine(hostOf(warnings), { engine: "codex", model: "openai/m", fallbackModels: ["a/b"] });
  expect(opened).toMatchObject({ engineName: "codex", model: "openai/m" });
  expect(warnings.splice(0)).toEqual([
    "the engine codex does not call models through the model gateway, so a/b will not be used",
  ]);
  const env = { OPENAI_API_KEY: "a-key-0123456789", ANTHROPIC_API_KEY: "a-key-0123456789", HOME: folder };
  const fallbackModels = ["openai/n", "anthropic/c", "gemini/g"];
  await openEngine({ ...hostOf(warnings), env }, { engine: "codex", model: "openai/m", fallbackModels });
  expect(warnings).toEqual([
    "the fallback model anthropic/c will not be used, because anthropic offers none of the model APIs that the engine uses",
    "the fallback model gemini/g will not be used, because there is no API key of gemini",
  ]);
});

test("an unknown name is rejected with the most similar one, and names the untrusted package that provides it", async () => {
  await expect(openEngine(hostOf(), { engine: "codx" })).rejects.toMatchObject({
    code: "engine.not_found",
    details: { known: expect.arrayContaining(["codex (did you mean this one?)"]) },
  });
  await mkdir(join(folder, "node_modules/switchyard-adapter-acme"), { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "dependencies": { "switchyard-adapter-acme": "1" } }');
  await expect(openEngine(hostOf(), { engine: "acme" })).rejects.toMatchObject({
    code: "engine.not_found",
    details: { packageName: "switchyard-adapter-acme" },
  });
});

test("a permission mode that an engine cannot enforce is an error", async () => {
  const engineDocument = { name: "mine", custom: { transport: "local", local: { command: "true" } } };
  const opening = openEngine(hostOf(), { engine: "mine", engineDocument, mode: "plan" });
  await expect(opening).rejects.toMatchObject({ code: "config.invalid", details: { field: "mode" } });
});

test("only the command of a runtime package can be allowed to push", async () => {
  const opening = openEngine(hostOf(), { engine: "codex", allowGitPush: true });
  await expect(opening).rejects.toMatchObject({ code: "config.invalid", details: { field: "allowGitPush" } });
});

test("an engine configuration is checked without opening the engine", async () => {
  const check = (data: unknown) => checkEngineConfig(hostOf(), data, undefined);
  expect(await check({ engine: { name: "codex" } })).toEqual([]);
  const problems = await check({ name: "mine", custom: { transport: "pigeon" } });
  expect(problems.join(" ")).toContain("transport");
});

test("a web search backend needs its key, and an instance its address", () => {
  expect(webSearchProblem("brave")).toBeUndefined();
  expect(webSearchProblem("searxng:file:///x")).toContain("searxng:");
  expect(webSearchOf({ env: {} }, "searxng:http://localhost:8080")).toEqual({
    ...{ kind: "searxng", url: "http://localhost:8080/" },
  });
  expect(() => webSearchOf({ env: {} }, "tavily")).toThrow("TAVILY_API_KEY");
});
