import { EngineError } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import {
  createAnthropicProfile,
  createGeminiProfile,
  createOpenAiProfile,
  createProfile,
  PROFILE_FAMILIES,
  type ProviderProfile,
} from "../index.ts";

const layers = { environmentContext: "", tools: [], projectDocuments: "" };

function namesOf(profile: ProviderProfile): string[] {
  return profile.tools().map(({ name }) => name);
}

test("OpenAI models get apply_patch and no edit_file [loop-3.4-1] [loop-3.4-2] [loop-9.2-1]", () => {
  expect(namesOf(createOpenAiProfile({ model: "m" }))).toEqual([
    "read_file",
    "apply_patch",
    "write_file",
    "shell",
    "shell_output",
    "shell_kill",
    "grep",
    "glob",
    "spawn_agent",
    "send_input",
    "wait",
    "close_agent",
  ]);
});

test("Claude models get edit_file and never apply_patch [loop-3.5-1] [loop-3.5-2] [loop-9.2-2]", () => {
  expect(namesOf(createAnthropicProfile({ model: "m" }))).toEqual([
    "read_file",
    "write_file",
    "edit_file",
    "shell",
    "shell_output",
    "shell_kill",
    "grep",
    "glob",
    "spawn_agent",
    "send_input",
    "wait",
    "close_agent",
  ]);
});

test("Gemini models get batch reading and listing on top [loop-9.2-3] [loop-3.6-1]", () => {
  expect(namesOf(createGeminiProfile({ model: "m" }))).toEqual([
    "read_file",
    "read_many_files",
    "write_file",
    "edit_file",
    "shell",
    "shell_output",
    "shell_kill",
    "grep",
    "glob",
    "list_dir",
    "spawn_agent",
    "send_input",
    "wait",
    "close_agent",
  ]);
});

test("the web tools are offered if the host enables them, by the Gemini profile and by others on request [loop-3.6-5]", () => {
  const webFetcher = { fetch: () => Promise.reject(new Error("unused")) };
  const webSearcher = { search: () => Promise.reject(new Error("unused")) };
  for (const family of PROFILE_FAMILIES) {
    expect(namesOf(createProfile(family, { model: "m" }))).not.toContain("web_fetch");
    expect(namesOf(createProfile(family, { model: "m", webFetcher }))).toContain("web_fetch");
    expect(namesOf(createProfile(family, { model: "m", webFetcher }))).not.toContain("web_search");
    const names = namesOf(createProfile(family, { model: "m", webFetcher, webSearcher }));
    expect(names).toEqual(expect.arrayContaining(["web_fetch", "web_search"]));
  }
});

test("tools and prompts of the families differ [loop-3.1-2] [loop-6.2-1]", () => {
  const prompts = PROFILE_FAMILIES.map((family) => createProfile(family, { model: "m" }).buildSystemPrompt(layers));
  expect(new Set(prompts).size).toBe(3);
  const lists = PROFILE_FAMILIES.map((family) => namesOf(createProfile(family, { model: "m" })).join());
  expect(new Set(lists).size).toBe(3);
});

describe("base instructions cover their topics", () => {
  const OPENAI = [
    /^You are a coding agent/,
    /read_file over cat/,
    /\*\*\* Begin Patch/,
    /Change as little/,
    /When something fails/,
  ];
  const ANTHROPIC = [
    /^You are an interactive agent/,
    /instead of cat/,
    /must be unique/,
    /Prefer editing/,
    /Read a file before you edit/,
    /conventions/,
  ];
  const GEMINI = [/^You are a command-line agent/, /read_many_files/, /GEMINI\.md/, /Conventions/];

  test.each([
    { family: "openai", topics: OPENAI, title: "those for OpenAI models [loop-3.4-4] [loop-6.2-2] [loop-9.2-4]" },
    { family: "anthropic", topics: ANTHROPIC, title: "those for Claude models [loop-3.5-7] [loop-6.2-3] [loop-9.2-4]" },
    { family: "gemini", topics: GEMINI, title: "those for Gemini models [loop-3.6-6] [loop-9.2-4] [loop-3.1-1]" },
  ])("$title", ({ family, topics }) => {
    const prompt = createProfile(family, { model: "m" }).buildSystemPrompt(layers);
    for (const topic of topics) expect(prompt).toMatch(topic);
  });
});

test("capabilities and sizes are reported, and can be set [loop-3.2-4] [loop-1.3-1]", () => {
  expect(createAnthropicProfile({ model: "m" })).toMatchObject({
    id: "anthropic",
    provider: "anthropic",
    supportsReasoning: true,
    supportsStreaming: true,
    supportsParallelToolCalls: true,
    contextWindowTokens: 200_000,
  });
  const options = {
    model: "m",
    provider: "local",
    contextWindowTokens: 8_192,
    supportsReasoning: false,
    commandTimeoutMs: 1,
  };
  expect(createOpenAiProfile(options)).toMatchObject({ id: "openai", ...options });
});

test("provider options are passed under the family's name [loop-3.2-3] [loop-3.5-8] [loop-3.6-7]", () => {
  expect(createOpenAiProfile({ model: "m" }).providerOptions()).toBeUndefined();
  expect(createOpenAiProfile({ model: "m", providerOptions: { store: false } }).providerOptions()).toEqual({
    openai: { store: false },
  });
  expect(
    createAnthropicProfile({ model: "m", betaHeaders: ["b"], providerOptions: { autoCache: false } }).providerOptions(),
  ).toEqual({
    anthropic: { autoCache: false, betaHeaders: ["b"] },
  });
  const safetySettings = [{ category: "HARM", threshold: "BLOCK_NONE" }];
  expect(createGeminiProfile({ model: "m", safetySettings, grounding: true }).providerOptions()).toEqual({
    gemini: { safetySettings, tools: [{ id: "google.google_search", name: "google_search" }] },
  });
});

test("a tool registered on one profile is not on another", () => {
  const one = createOpenAiProfile({ model: "m" });
  one.toolRegistry.unregister("shell");
  expect(namesOf(createOpenAiProfile({ model: "m" }))).toContain("shell");
});

test("an unknown family is an error that names the known ones", () => {
  expect(() => createProfile("constructor", { model: "m" })).toThrow(
    new EngineError("model.unknown_provider", { provider: "constructor", known: PROFILE_FAMILIES }),
  );
});
