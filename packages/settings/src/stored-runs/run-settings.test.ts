import { expect, test } from "vitest";
import { canBeResumed, fromSettings, hostWorkspaceOf, type RunSettings, toSettings } from "./run-settings.ts";

const INPUT = { messages: [{ role: "user" as const, content: "Fix it." }] };

test("settings survive being stored, and settings of a later resume take precedence", () => {
  const settings: RunSettings = {
    ...{
      baseUrl: "http://127.0.0.1/v1",
      fallbackModels: ["a/b"],
      allowedModels: ["a/*"],
      reasoningEffort: "low",
      web: true,
      webSearch: "brave",
      direct: true,
    },
    ...{
      trustWorkspace: true,
      projectCode: "d1",
      toolNames: "native",
      mcpStartWaitMs: 3_000,
      mode: "ask",
      askUser: false,
    },
    mcpConfig: { path: "/mcp.json", sha256: "ab" },
    engineFile: { path: "/engine.yaml", sha256: "cd" },
    environment: { env: "docker:node:22", envMemory: "1g", workspace: "/work" },
    ...{ worktreeOf: "/project", forkedFrom: "01JD" },
  };
  const request = { format: 1 as const, input: INPUT, settings: toSettings(settings) };
  expect(fromSettings(request)).toMatchObject(settings);
  expect(fromSettings(request, { settings: { project_code: "d2" } }).projectCode).toBe("d2");
  expect(hostWorkspaceOf({ record: undefined, request })).toBe("/work");
});

test("settings of other programs are ignored", () => {
  const settings = {
    base_url: 7,
    tool_names: "other",
    mcp_config: { path: "/x" },
    mode: "any",
    fallback_models: [1],
    allow_models: "a/b",
  };
  expect(fromSettings({ format: 1 as const, input: INPUT, settings })).toEqual({
    ...{ approvalChoice: expect.anything(), environment: undefined, isDemo: false },
  });
});

test("a run can be resumed unless its model or its files were temporary", () => {
  const of = (settings: RunSettings) =>
    canBeResumed({ request: { format: 1 as const, input: INPUT, settings: toSettings(settings) } });
  expect([of({}), of({ isDemo: true }), of({ environment: { env: "memory" } })]).toEqual([true, false, false]);
  expect(canBeResumed({ request: undefined })).toBe(false);
});

const FILE = { path: "/mcp.json", sha256: "ab" };

test.each([null, "/mcp.json", {}, { path: FILE.path }, { sha256: FILE.sha256 }, { ...FILE, path: 1 }])(
  "a stored setting that is no file reference is ignored: %j",
  (file) => {
    const settings = { mcp_config: file, engine_file: file };
    const found = fromSettings({ format: 1 as const, input: INPUT, settings });
    expect(found).not.toHaveProperty("mcpConfig");
    expect(found).not.toHaveProperty("engineFile");
  },
);
