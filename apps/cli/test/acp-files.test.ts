import { mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { type EditorOptions, openEditor } from "./open-editor.ts";
import { makeFolder } from "./start-switchyard.ts";

const BOTH = { readTextFile: true, writeTextFile: true };
const READ: MockAnswer = { name: "read_file", arguments: { file_path: "a.txt" } };
const EDIT: MockAnswer = {
  name: "edit_file",
  arguments: { file_path: "a.txt", old_string: "unsaved", new_string: "edited" },
};

/** Runs one prompt in a simulated editor. */
async function work(answers: readonly MockAnswer[], options: EditorOptions & { more?: readonly string[] } = {}) {
  const format = options.more === undefined ? "anthropic" : "openai";
  const { baseUrl, mock } = await startMockModel(format, [...answers, "Done."]);
  const cwd = await realpath(options.cwd ?? (await makeFolder({ "a.txt": "saved\n" })));
  const words = [
    "--model",
    `${format}/m`,
    "--api-key",
    "k-of-nobody-0123456789",
    "--base-url",
    baseUrl,
    "--mode",
    "auto",
  ];
  const editor = await openEditor(words, { ...options, cwd });
  const { sessionId } = await editor.open();
  const ended = await editor.say(sessionId, "Do it.");
  editor.command.stdin?.end();
  await editor.command;
  const told = JSON.stringify(mock.getLastRequest()?.body);
  return { ...editor, cwd, ended, told, ends: editor.updates.filter(isEnd) };
}

function isEnd(update: SessionUpdate): update is SessionUpdate & ToolCallUpdate {
  return update.sessionUpdate === "tool_call_update";
}

describe("files of the editor", () => {
  test("are read and edited with their unsaved changes, and shown with diffs and locations", async () => {
    const run = await work([READ, EDIT], { offers: BOTH, unsaved: { "a.txt": "unsaved\nline\n" } });
    const path = join(run.cwd, "a.txt");
    expect(run.told).toContain("unsaved");
    expect(run.files.filter(({ method }) => method === "write")).toEqual([
      { method: "write", path, content: "edited\nline\n" },
    ]);
    expect(run.ends.at(-1)).toMatchObject({
      status: "completed",
      content: [{ type: "diff", path, oldText: "unsaved\nline\n", newText: "edited\nline\n" }, { type: "content" }],
    });
    const calls = run.updates.filter(({ sessionUpdate }) => sessionUpdate === "tool_call");
    expect(calls).toMatchObject([{ locations: [{ path }] }, { locations: [{ path }] }]);
  });

  test("that are new are written through it, in folders that are made", async () => {
    const write: MockAnswer = { name: "write_file", arguments: { file_path: "sub/b.txt", content: "new\n" } };
    const run = await work([write], { offers: BOTH });
    const path = join(run.cwd, "sub", "b.txt");
    expect(run.files).toEqual([{ method: "write", path, content: "new\n" }]);
    expect(run.ends[0]).toMatchObject({ content: [{ type: "diff", path, newText: "new\n" }, { type: "content" }] });
    expect(run.ends[0]?.content?.[0]).not.toHaveProperty("oldText");
  });

  test("are patched with their unsaved changes", async () => {
    const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-unsaved\n+patched\n*** End Patch";
    const answers: MockAnswer[] = [{ name: "apply_patch", arguments: { input: patch, patch } }];
    const run = await work(answers, { offers: BOTH, unsaved: { "a.txt": "unsaved\n" }, more: [] });
    expect(run.files.at(-1)).toMatchObject({ method: "write", content: "patched\n" });
    expect(run.ends[0]).toMatchObject({
      content: [{ type: "diff", path: join(run.cwd, "a.txt"), oldText: "unsaved\n", newText: "patched\n" }, {}],
    });
  });

  test.each([
    [undefined, 0, 0],
    [{ readTextFile: false, writeTextFile: false }, 0, 0],
    [{ readTextFile: true }, 1, 0],
    [{ writeTextFile: true }, 0, 1],
  ])("are read from the disk if the editor does not offer them: %j", async (offers, reads, writes) => {
    const edit: MockAnswer = { name: "write_file", arguments: { file_path: "a.txt", content: "written\n" } };
    const run = await work([READ, edit], { offers });
    expect(run.files.filter(({ method }) => method === "read").length > 0).toBe(reads > 0);
    expect(run.files.filter(({ method }) => method === "write")).toHaveLength(writes);
    expect(await readFile(join(run.cwd, "a.txt"), "utf8")).toBe("written\n");
    // The diff is shown whether or not the editor writes the file.
    expect(run.ends.at(-1)?.content?.[0]).toMatchObject({ type: "diff", oldText: "saved\n", newText: "written\n" });
  });

  test("that it cannot read or write are errors of the tool, and the run continues", async () => {
    const write: MockAnswer = { name: "write_file", arguments: { file_path: "b.txt", content: "x" } };
    const run = await work([READ, write], { offers: BOTH, fileError: "the buffer is locked" });
    expect(run.ended).toMatchObject({ stopReason: "end_turn" });
    expect(run.ends.map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect(run.told).toContain("the buffer is locked");
    await expect(readFile(join(run.cwd, "b.txt"))).rejects.toThrow("ENOENT");
  });

  test("outside of the session's folder are refused before it is asked, links followed", async () => {
    const outside = await makeFolder({ "secret.txt": "secret\n" });
    const cwd = await makeFolder({ "a.txt": "saved\n" });
    await symlink(join(outside, "secret.txt"), join(cwd, "link.txt"));
    await symlink(outside, join(cwd, "linked"));
    const paths = [join(outside, "secret.txt"), "../secret.txt", "link.txt", "linked/secret.txt", "linked/new.txt"];
    const calls = paths.flatMap((file_path): MockAnswer[] => [
      { name: "read_file", arguments: { file_path } },
      { name: "write_file", arguments: { file_path, content: "x" } },
    ]);
    const run = await work(calls, { offers: BOTH, cwd });
    expect(run.files).toEqual([]);
    expect(new Set(run.ends.map(({ status }) => status))).toEqual(new Set(["failed"]));
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret\n");
  });

  test("that contain no text are read and written on the disk", async () => {
    const cwd = await makeFolder();
    await writeFile(join(cwd, "data.bin"), Buffer.from([0, 1, 2, 255]));
    await mkdir(join(cwd, "folder"));
    const read = (file_path: string): MockAnswer => ({ name: "read_file", arguments: { file_path } });
    const run = await work([read("data.bin"), read("folder")], { offers: BOTH, cwd });
    expect(run.files).toEqual([]);
  });

  test("keep a byte order mark and line ends that the editor does not show", async () => {
    const cwd = await makeFolder({ "a.txt": "\uFEFFone\r\ntwo\r\n" });
    const edit: MockAnswer = {
      name: "edit_file",
      arguments: { file_path: "a.txt", old_string: "two", new_string: "2" },
    };
    const run = await work([{ name: "read_file", arguments: { file_path: "a.txt" } }, edit], { offers: BOTH, cwd });
    expect(run.files.at(-1)?.content).toBe("\uFEFFone\r\n2\r\n");
  });
});

test("an approval question for an edit shows the diff and the file, and a denied edit is not written", async () => {
  const { baseUrl } = await startMockModel("anthropic", [READ, EDIT, "Denied."]);
  const cwd = await realpath(await makeFolder({ "a.txt": "unsaved\n" }));
  const editor = await openEditor(["--model", "anthropic/m", "--base-url", baseUrl], {
    answer: "deny",
    offers: BOTH,
    cwd,
  });
  const { sessionId } = await editor.open();
  await editor.say(sessionId, "Do it.");
  const path = join(cwd, "a.txt");
  expect(editor.asked.map(({ toolCall }) => toolCall)).toMatchObject([
    { kind: "edit", locations: [{ path }], content: [{ type: "diff", path, oldText: "unsaved", newText: "edited" }] },
  ]);
  expect(editor.files.filter(({ method }) => method === "write")).toEqual([]);
  editor.command.stdin?.end();
  await editor.command;
});
