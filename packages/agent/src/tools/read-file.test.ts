import { Buffer } from "node:buffer";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { openWorkspace, type Workspace } from "../../test/open-workspace.ts";
import { SAMPLE_IMAGES } from "../../test/sample-images.ts";
import { callTool, createAnthropicProfile, createGeminiProfile, type ToolCallResult } from "../index.ts";

const profile = createAnthropicProfile({ model: "claude" });
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function read(workspace: Workspace, args: Record<string, unknown>): Promise<ToolCallResult> {
  return callTool({ profile, environment: workspace.environment, name: "read_file", arguments: args });
}

test("each line is preceded by its number [loop-3.3-1]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "one\n\nthree\n" });
  expect(await read(workspace, { file_path: "a.txt" })).toMatchObject({
    isError: false,
    content: "1 | one\n2 | \n3 | three",
  });
  expect((await read(workspace, { file_path: join(workspace.root, "a.txt") })).content).toContain("1 | one");
});

test("a range begins at the offset and states where to continue [loop-3.3-2]", async () => {
  await using workspace = await openWorkspace({
    "a.txt": Array.from({ length: 12 }, (_, index) => `l${index + 1}`).join("\n"),
  });
  const window = await read(workspace, { file_path: "a.txt", offset: 9, limit: 2 });
  expect(window.content).toBe(" 9 | l9\n10 | l10\n[There are more lines. Read on with offset 11.]");
  const end = await read(workspace, { file_path: "a.txt", offset: 11, limit: 2 });
  expect(end.content).toBe("11 | l11\n12 | l12");
});

test("2000 lines are read unless another limit is given [loop-3.3-3]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "x\n".repeat(2_500) });
  const result = await read(workspace, { file_path: "a.txt" });
  expect(result.details).toMatchObject({ lines: 2_000, hasMore: true });
  expect(result.output.split("\n")[1_999]).toBe("2000 | x");
});

test("an empty file and a range after the end are reported as text", async () => {
  await using workspace = await openWorkspace({ "empty.txt": "", "one.txt": "x" });
  expect((await read(workspace, { file_path: "empty.txt" })).content).toBe("[The file is empty.]");
  expect((await read(workspace, { file_path: "one.txt", offset: 7 })).content).toBe(
    "[The file has fewer than 7 lines.]",
  );
});

test("a missing file is an error that lets the model look for the path [loop-3.3-4] [loop-B-3]", async () => {
  await using workspace = await openWorkspace();
  const result = await read(workspace, { file_path: "no.txt" });
  expect(result.isError).toBe(true);
  expect(result.content).toBe("Tool error (read_file): no.txt does not exist.\nCheck the path, or list its folder.");
});

test("a file that may not be read is an error [loop-3.3-5] [loop-B-5]", async () => {
  await using workspace = await openWorkspace();
  const readFile = (path: string): Promise<string> =>
    Promise.reject(new EngineError("environment.permission_denied", { path }));
  const environment = { ...workspace.environment, readFile };
  const result = await callTool({ profile, environment, name: "read_file", arguments: { file_path: "secret.txt" } });
  expect(result).toMatchObject({ isError: true, details: { error: { code: "environment.permission_denied" } } });
  expect(result.content).toContain("Choose another path");
});

test("a path outside of the workspace is refused, links included [loop-B-5]", async () => {
  await using workspace = await openWorkspace();
  for (const path of ["../x", "/etc/passwd"]) {
    const result = await read(workspace, { file_path: path });
    expect(result).toMatchObject({ isError: true, details: { error: { code: "environment.path_outside_workspace" } } });
    expect(result.content).toContain("Use a path inside the workspace.");
  }
});

test("a binary file that is not an image is rejected [loop-3.3-6]", async () => {
  await using workspace = await openWorkspace({
    "a.bin": Uint8Array.of(1, 0, 2, 0),
    "fake.png": Uint8Array.of(0x89, 0, 2),
  });
  expect(await read(workspace, { file_path: "a.bin" })).toMatchObject({
    isError: true,
    details: { error: { code: "environment.binary_file" } },
  });
  expect(await read(workspace, { file_path: "fake.png" })).toMatchObject({ isError: true, images: undefined });
});

test("an image comes as a picture [loop-3.3-7]", async () => {
  await using workspace = await openWorkspace({ "a.PNG": PNG });
  const result = await read(workspace, { file_path: "a.PNG" });
  expect(result.images).toEqual([{ type: "image", mediaType: "image/png", data: PNG.toString("base64") }]);
});

test.each([
  { name: "picture", index: 0 },
  { name: "wrong.png", index: 1 },
  { name: "a.gif", index: 2 },
  { name: "a.webp", index: 3 },
])("an image is recognised by its first bytes, regardless of its name: $name [loop-3.3-7]", async ({ name, index }) => {
  const { mediaType, bytes = Buffer.alloc(0) } = SAMPLE_IMAGES[index] ?? {};
  await using workspace = await openWorkspace({ [name]: bytes });
  const result = await read(workspace, { file_path: name });
  expect(result).toMatchObject({ isError: false, images: [{ mediaType, data: bytes.toString("base64") }] });
});

test("a file that only has the name of an image is read as the text it is", async () => {
  await using workspace = await openWorkspace({ "pointer.png": "version https://example.org/spec/v1\n" });
  expect(await read(workspace, { file_path: "pointer.png" })).toMatchObject({
    isError: false,
    content: "1 | version https://example.org/spec/v1",
  });
});

test("audio in the container format of WebP is not an image", async () => {
  await using workspace = await openWorkspace({ "a.webp": Buffer.from("RIFF\x00\x00\x00\x00WAVEfmt ", "latin1") });
  expect(await read(workspace, { file_path: "a.webp" })).toMatchObject({ isError: true });
});

test("an image that no provider takes is refused with its size", async () => {
  await using workspace = await openWorkspace({ "big.png": Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)]) });
  expect(await read(workspace, { file_path: "big.png" })).toMatchObject({
    isError: true,
    content: expect.stringContaining("Make other files smaller"),
    details: { error: { code: "environment.file_too_large" } },
  });
});

test("a folder is not a file", async () => {
  await using workspace = await openWorkspace({ "dir/a.txt": "x" });
  const result = await read(workspace, { file_path: "dir" });
  expect(result).toMatchObject({ isError: true, details: { error: { code: "environment.not_a_file" } } });
});

test("a window far down a large file needs neither the file in memory nor a list of its lines", async () => {
  const line = `${"x".repeat(99)}\n`;
  await using workspace = await openWorkspace({ "big.txt": line.repeat(300_000) });
  await read(workspace, { file_path: "big.txt", offset: 299_000, limit: 5 });
  const before = process.memoryUsage();
  const result = await read(workspace, { file_path: "big.txt", offset: 299_998, limit: 5 });
  const after = process.memoryUsage();
  expect(result.content.split("\n").map((shown) => shown.slice(0, 9))).toEqual(["299998 | ", "299999 | ", "300000 | "]);
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(10 * 1024 * 1024);
});

test("a byte order mark and CRLF do not show", async () => {
  await using workspace = await openWorkspace({ "a.txt": "\uFEFFone\r\ntwo\r\n" });
  expect((await read(workspace, { file_path: "a.txt" })).content).toBe("1 | one\n2 | two");
});

test("read_many_files labels each file and reads the rest when one fails [loop-3.6-3]", async () => {
  await using workspace = await openWorkspace({ "a.md": "A\n", "docs/b.md": "B\n", "c.ts": "C" });
  const result = await callTool({
    profile: createGeminiProfile({ model: "g" }),
    environment: workspace.environment,
    name: "read_many_files",
    arguments: { paths: ["c.ts", "no.txt", "docs/*.md"] },
  });
  expect(result).toMatchObject({ isError: false, details: { read: 2, failed: 1 } });
  expect(result.content).toBe(
    "--- c.ts ---\n1 | C\n\n--- no.txt ---\n[Not read: no.txt does not exist.]\n\n--- docs/b.md ---\n1 | B",
  );
});

test("read_many_files reads a file once even if several patterns match it, and ignores a pattern without matches [loop-3.6-3]", async () => {
  await using workspace = await openWorkspace({ "src/a.md": "A\n" });
  const result = await callTool({
    profile: createGeminiProfile({ model: "g" }),
    environment: workspace.environment,
    name: "read_many_files",
    arguments: { paths: ["[", "../*.md", "./src//a.md", "src/a.md", "src/./*.md", ".//src/a.md"] },
  });
  expect(result).toMatchObject({ isError: false, details: { read: 1, failed: 2 } });
  expect(result.content.match(/^--- .* ---$/gm)).toEqual(["--- [ ---", "--- ../*.md ---", "--- ./src//a.md ---"]);
});

test("list_dir lists to the requested depth [loop-3.6-4]", async () => {
  await using workspace = await openWorkspace({ "src/a.ts": "12345", "src/deep/b.ts": "", "c.md": "1" });
  const list = async (args: Record<string, unknown>): Promise<string> => {
    const environment = workspace.environment;
    return (
      await callTool({ profile: createGeminiProfile({ model: "g" }), environment, name: "list_dir", arguments: args })
    ).content;
  };
  expect((await list({})).split("\n").sort()).toEqual(["c.md (1 bytes)", "src/"]);
  expect(await list({ depth: 3 })).toContain("src/deep/b.ts (0 bytes)");
  expect(await list({ path: "src" })).toContain("a.ts (5 bytes)");
});
