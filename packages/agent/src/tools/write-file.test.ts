import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { withReadBeforeWrite } from "@switchyard/environment/wrappers";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { callTool, createAnthropicProfile } from "../index.ts";

const profile = createAnthropicProfile({ model: "claude" });

test("a file is made with its folders, and the bytes are reported [loop-3.3-8]", async () => {
  await using workspace = await openWorkspace();
  const args = { file_path: "deep/er/a.txt", content: "é\n" };
  const created = await callTool({ profile, environment: workspace.environment, name: "write_file", arguments: args });
  expect(created).toMatchObject({ isError: false, content: "Wrote 3 bytes to deep/er/a.txt." });
  const again = await callTool({ profile, environment: workspace.environment, name: "write_file", arguments: args });
  expect(again.content).toBe("Wrote 3 bytes to deep/er/a.txt.");
  expect(await workspace.read("deep/er/a.txt")).toBe("é\n");
});

test("a path that cannot be written is an error [loop-3.3-9]", async () => {
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

test.each([
  { name: "CRLF line ends", before: "a\r\nb\r\n", content: "a\nc\n", after: "a\r\nc\r\n", preserved: "CRLF line ends" },
  {
    name: "a byte order mark",
    before: "\uFEFFa\n",
    content: "b\n",
    after: "\uFEFFb\n",
    preserved: "the byte order mark",
  },
  {
    name: "a byte order mark and CRLF line ends",
    before: "\uFEFFa\r\n",
    content: "\uFEFFb\nc",
    after: "\uFEFFb\r\nc",
    preserved: "the byte order mark and CRLF line ends",
  },
])("an existing file retains $name, and the result reports it", async ({ before, content, after, preserved }) => {
  await using workspace = await openWorkspace({ "a.txt": before });
  const args = { file_path: "a.txt", content };
  const call = (): ReturnType<typeof callTool> =>
    callTool({ profile, environment: workspace.environment, name: "write_file", arguments: args });
  const result = await call();
  expect(result.content).toBe(
    `Wrote ${after.length + (after.startsWith("\uFEFF") ? 2 : 0)} bytes to a.txt. The file kept ${preserved}.`,
  );
  expect(await workspace.read("a.txt")).toBe(after);
  // Repeats the call, as a resumed session does after a crash.
  expect((await call()).content).toBe(result.content);
  expect(await workspace.read("a.txt")).toBe(after);
});

test.each([
  { name: "LF line ends", before: "a\nb\n", content: "c\nd\n" },
  { name: "CRLF line ends that the text has itself", before: "a\n", content: "c\r\nd\r\n" },
])("a text is written as it is into a file with $name", async ({ before, content }) => {
  await using workspace = await openWorkspace({ "a.txt": before });
  const args = { file_path: "a.txt", content };
  const result = await callTool({ profile, environment: workspace.environment, name: "write_file", arguments: args });
  expect(result.content).toBe(`Wrote ${content.length} bytes to a.txt.`);
  expect(await workspace.read("a.txt")).toBe(content);
});

test("writing a file that was not read is still refused by the guard, although its format was looked at", async () => {
  await using workspace = await openWorkspace({ "a.txt": "a\r\n" });
  const environment = withReadBeforeWrite(workspace.environment, { keepOpen: true });
  const args = { file_path: "a.txt", content: "b\n" };
  const result = await callTool({ profile, environment, name: "write_file", arguments: args });
  expect(result).toMatchObject({ isError: true, details: { error: { code: "environment.file_not_read" } } });
  expect(await workspace.read("a.txt")).toBe("a\r\n");
});
