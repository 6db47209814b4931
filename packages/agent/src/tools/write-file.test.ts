import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { callTool, createAnthropicProfile } from "../index.ts";

const profile = createAnthropicProfile({ model: "claude" });

test("a file is made with its folders, and the bytes are reported [loop-3.3-8]", async () => {
  await using workspace = await openWorkspace();
  const args = { file_path: "deep/er/a.txt", content: "é\n" };
  const made = await callTool({ profile, environment: workspace.environment, name: "write_file", arguments: args });
  expect(made).toMatchObject({ isError: false, content: "Wrote 3 bytes to deep/er/a.txt." });
  const again = await callTool({ profile, environment: workspace.environment, name: "write_file", arguments: args });
  expect(again.content).toBe("Wrote 3 bytes to deep/er/a.txt.");
  expect(await workspace.read("deep/er/a.txt")).toBe("é\n");
});

test("a place that cannot be written is an error [loop-3.3-9]", async () => {
  await using workspace = await openWorkspace();
  const write = (path: string): ReturnType<typeof callTool> =>
    callTool({
      profile,
      environment: workspace.environment,
      name: "write_file",
      arguments: { file_path: path, content: "x" },
    });
  expect(await write("../outside.txt")).toMatchObject({
    isError: true,
    details: { error: { class: "policy_denied" } },
  });
  await mkdir(join(workspace.root, "folder"));
  expect(await write("folder")).toMatchObject({ isError: true });
});

test.each(["environment.permission_denied", "environment.disk_full"] as const)(
  "%s is an error [loop-3.3-9] [loop-B-5]",
  async (code) => {
    await using workspace = await openWorkspace();
    const exists = async (): Promise<boolean> => false;
    const writeFile = (path: string): Promise<void> => Promise.reject(new EngineError(code, { path }));
    const environment = { ...workspace.environment, workingDirectory: workspace.root, exists, writeFile };
    const args = { file_path: "a.txt", content: "x" };
    const result = await callTool({ profile, environment, name: "write_file", arguments: args });
    expect(result).toMatchObject({ isError: true, details: { error: { code } } });
  },
);
