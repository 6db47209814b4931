import { expect, test } from "vitest";
import { fromSettings, type RunSettings, toSettings } from "./run-settings.ts";

const FILE = { path: "/work/mcp.json", sha256: "0".repeat(64) };
const INPUT = { messages: [] };

test("settings that are stored with a run are read again as they were", () => {
  const settings: RunSettings = {
    ...{ fallbackModel: ["p/a", "p/b"], baseUrl: "http://127.0.0.1/v1", reasoningEffort: "high", web: true },
    ...{ webSearch: "tavily", toolNames: "native", mcpWait: 7, mode: "plan", trustWorkspace: true },
    ...{ projectCode: "digest", mcpConfig: FILE, engineFile: FILE, askUser: true, worktreeOf: "/w", forkedFrom: "r0" },
    isDemo: true,
  };
  expect(fromSettings({ input: INPUT, settings: toSettings(settings) })).toMatchObject(settings);
});

test("settings that a later resume stored take precedence", () => {
  const settings = toSettings({ web: true, mcpWait: 7 });
  expect(fromSettings({ input: INPUT, settings }, { settings: { mcp_wait: 9 } })).toMatchObject({
    web: true,
    mcpWait: 9,
  });
});

test.each([null, "/work/mcp.json", {}, { path: FILE.path }, { sha256: FILE.sha256 }, { path: 1, sha256: FILE.sha256 }])(
  "a stored setting that is no file reference is ignored: %j",
  (file) => {
    const found = fromSettings({ input: INPUT, settings: { mcp_config: file, engine_file: file } });
    expect(found).not.toHaveProperty("mcpConfig");
    expect(found).not.toHaveProperty("engineFile");
  },
);
