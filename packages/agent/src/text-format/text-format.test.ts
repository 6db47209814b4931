import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { openWorkspace, type Workspace } from "../../test/open-workspace.ts";
import { callTool, createAnthropicProfile, createOpenAiProfile, type ToolCallResult } from "../index.ts";

const anthropic = createAnthropicProfile({ model: "claude" });
const openai = createOpenAiProfile({ model: "gpt" });

type Arguments = Readonly<Record<string, unknown>>;

function run(workspace: Workspace, name: string, args: Arguments): Promise<ToolCallResult> {
  const profile = name === "apply_patch" ? openai : anthropic;
  return callTool({ profile, environment: workspace.environment, name, arguments: args });
}

function utf16be(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

const TEXT = "caf\u00e9 one\r\nna\u00efve two\r\n";

const ENCODINGS = [
  { name: "Latin-1", encode: (text: string) => Buffer.from(text, "latin1") },
  { name: "UTF-16LE", encode: (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le") },
  { name: "UTF-16BE", encode: (text: string) => utf16be(`\uFEFF${text}`) },
] as const;

test.each(ENCODINGS)("a $name file is read, edited and written back in its encoding", async ({ name, encode }) => {
  await using workspace = await openWorkspace({ "a.txt": encode(TEXT) });
  const read = await run(workspace, "read_file", { file_path: "a.txt" });
  expect(read.content).toBe(`1 | caf\u00e9 one\n2 | na\u00efve two\n[The file is encoded in ${name}.]`);
  const window = await run(workspace, "read_file", { file_path: "a.txt", offset: 2, limit: 1 });
  expect(window.content).toBe(`2 | na\u00efve two\n[The file is encoded in ${name}.]`);
  const args = { file_path: "a.txt", old_string: "caf\u00e9 one\nna", new_string: "th\u00e9 one\nNa" };
  expect(await run(workspace, "edit_file", args)).toMatchObject({ isError: false });
  expect(await workspace.hex("a.txt")).toBe(encode("th\u00e9 one\r\nNa\u00efve two\r\n").toString("hex"));
});

test.each(ENCODINGS)("apply_patch preserves the encoding of a $name file", async ({ encode }) => {
  await using workspace = await openWorkspace({ "a.txt": encode(TEXT) });
  const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-caf\u00e9 one\n+th\u00e9 one\n*** End Patch";
  expect(await run(workspace, "apply_patch", { patch })).toMatchObject({ isError: false });
  expect(await workspace.hex("a.txt")).toBe(encode("th\u00e9 one\r\nna\u00efve two\r\n").toString("hex"));
});

test.each(ENCODINGS)("write_file preserves the encoding of a $name file and reports it", async ({ name, encode }) => {
  await using workspace = await openWorkspace({ "a.txt": encode(TEXT) });
  const result = await run(workspace, "write_file", { file_path: "a.txt", content: "\u00e9t\u00e9\n" });
  expect(result.content).toContain(`The file kept the encoding ${name}`);
  expect(await workspace.hex("a.txt")).toBe(encode("\u00e9t\u00e9\r\n").toString("hex"));
});

test("UTF-16 without a byte order mark is edited without one", async () => {
  await using workspace = await openWorkspace({ "a.txt": Buffer.from("one\ntwo\n", "utf16le") });
  await run(workspace, "edit_file", { file_path: "a.txt", old_string: "one", new_string: "\u4e00" });
  expect(await workspace.hex("a.txt")).toBe(Buffer.from("\u4e00\ntwo\n", "utf16le").toString("hex"));
});

test("Windows-1252 is distinguished from Latin-1 by its quotes, which are preserved", async () => {
  await using workspace = await openWorkspace({ "a.txt": Buffer.from("say \x93caf\xe9\x94 now\n", "latin1") });
  const read = await run(workspace, "read_file", { file_path: "a.txt" });
  expect(read.content).toBe("1 | say \u201ccaf\u00e9\u201d now\n[The file is encoded in Windows-1252.]");
  await run(workspace, "edit_file", { file_path: "a.txt", old_string: "now", new_string: "for 3 \u20ac" });
  expect(await workspace.hex("a.txt")).toBe(Buffer.from("say \x93caf\xe9\x94 for 3 \x80\n", "latin1").toString("hex"));
});

test.each([
  { tool: "edit_file", args: { file_path: "a.txt", old_string: "one", new_string: "3 \u20ac" } },
  { tool: "write_file", args: { file_path: "a.txt", content: "3 \u20ac\n" } },
  {
    tool: "apply_patch",
    args: { patch: "*** Begin Patch\n*** Update File: a.txt\n@@\n-caf\u00e9 one\n+3 \u20ac\n*** End Patch" },
  },
])("$tool names a character that the encoding of the file lacks, and changes nothing", async ({ tool, args }) => {
  const bytes = Buffer.from(TEXT, "latin1");
  await using workspace = await openWorkspace({ "a.txt": bytes });
  const result = await run(workspace, tool, args);
  expect(result).toMatchObject({
    isError: true,
    details: { error: { code: "edit.character_not_in_encoding" } },
  });
  expect(result.content).toContain("a.txt is encoded in Latin-1, which does not have the character \u20ac (U+20AC).");
  expect(await workspace.hex("a.txt")).toBe(bytes.toString("hex"));
});

const SHIFT_JIS = Buffer.from("93fa967b8cea82cc83658358836781420a", "hex");
const GBK = Buffer.from("d6d0cec4b2e2cad4a3acc4e3bac30a", "hex");
const UTF32 = Buffer.from("fffe00006100000062000000", "hex");

test.each([
  { encoding: "Shift_JIS", bytes: SHIFT_JIS },
  { encoding: "GB18030", bytes: GBK },
  { encoding: "UTF-32", bytes: UTF32 },
  { encoding: "UTF-16LE with an odd number of bytes", bytes: Buffer.from("fffe610062", "hex") },
  { encoding: "UTF-8 with invalid bytes", bytes: Buffer.from("c3a9c3a9ffc3a90a", "hex") },
])("a file in $encoding is refused by the name of its encoding and stays as it is", async ({ encoding, bytes }) => {
  await using workspace = await openWorkspace({ "a.txt": bytes });
  const edited = await run(workspace, "edit_file", { file_path: "a.txt", old_string: "x", new_string: "y" });
  const written = await run(workspace, "write_file", { file_path: "a.txt", content: "y" });
  const read = await run(workspace, "read_file", { file_path: "a.txt" });
  for (const result of [edited, written]) {
    expect(result).toMatchObject({
      isError: true,
      details: { error: { code: "environment.unsupported_encoding" } },
    });
    expect(result.content).toContain(encoding);
  }
  expect(read.content).toContain(encoding);
  expect(await workspace.hex("a.txt")).toBe(bytes.toString("hex"));
});

test("a binary file may be replaced by text", async () => {
  await using workspace = await openWorkspace({ "a.bin": Uint8Array.of(1, 0, 2, 0xff) });
  await run(workspace, "write_file", { file_path: "a.bin", content: "text\n" });
  expect(await workspace.read("a.bin")).toBe("text\n");
});
