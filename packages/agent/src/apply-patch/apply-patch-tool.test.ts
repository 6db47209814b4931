import { chmod, lstat, mkdir, readdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Files, openWorkspace, type Workspace } from "../../test/open-workspace.ts";
import { callTool, createOpenAiProfile, type ToolCallResult } from "../index.ts";

const profile = createOpenAiProfile({ model: "gpt" });

async function patch(workspace: Workspace, ...lines: string[]): Promise<ToolCallResult> {
  const text = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  return callTool({ profile, environment: workspace.environment, name: "apply_patch", arguments: { patch: text } });
}

function open(files: Files = {}): Promise<Workspace> {
  return openWorkspace(files);
}

test("one patch adds, deletes, updates and moves files and lists them [loop-3.4-6] [loop-A-2] [loop-A-3] [loop-A-5] [loop-A-6] [loop-9.2-1]", async () => {
  await using workspace = await open({ "gone.txt": "x", "a.txt": "one\ntwo\n", "old/name.txt": "k\nl\n" });
  const result = await patch(
    workspace,
    "*** Add File: deep/er/new.txt",
    "+first",
    "+second",
    "*** Delete File: gone.txt",
    "*** Update File: a.txt",
    "@@",
    "-two",
    "+TWO",
    "*** Update File: old/name.txt",
    "*** Move to: new/name.txt",
    "@@",
    " k",
    "-l",
    "+m",
  );
  expect(result).toMatchObject({ isError: false });
  expect(result.content).toBe(
    "Applied the patch:\nA deep/er/new.txt\nD gone.txt\nM a.txt\nR old/name.txt -> new/name.txt",
  );
  expect(await workspace.read("deep/er/new.txt")).toBe("first\nsecond\n");
  expect(await workspace.read("a.txt")).toBe("one\nTWO\n");
  expect(await workspace.read("new/name.txt")).toBe("k\nm\n");
  expect(await workspace.environment.exists("gone.txt")).toBe(false);
  expect(await workspace.environment.exists("old/name.txt")).toBe(false);
});

test("a file is renamed without a change of its content, over an existing one", async () => {
  await using workspace = await open({ "a.bin": Uint8Array.of(0, 255, 1), "b.bin": "old" });
  const result = await patch(workspace, "*** Update File: a.bin", "*** Move to: b.bin");
  expect(result.isError).toBe(false);
  expect(await workspace.hex("b.bin")).toBe("00ff01");
});

test("an added file and a moved one overwrite existing files, and the result reports it [loop-A-2] [loop-A-5]", async () => {
  await using workspace = await open({ "a.txt": "a\n", "b.txt": "old\n", "c.txt": "old\n" });
  const result = await patch(
    workspace,
    "*** Add File: b.txt",
    "+new",
    "*** Update File: a.txt",
    "*** Move to: c.txt",
    "@@",
    "-a",
    "+A",
    "*** Add File: d.txt",
    "+new",
  );
  expect(result.content).toBe(
    "Applied the patch:\nA b.txt (overwrote the existing file)\nR a.txt -> c.txt (overwrote the existing file)\nA d.txt",
  );
  expect(await workspace.read("b.txt")).toBe("new\n");
  expect(await workspace.read("c.txt")).toBe("A\n");
});

test.each(["./a.txt", "dir/../a.txt", "link/a.txt", "{root}/a.txt"])(
  "a file that is moved to %s, its own path, is only changed [loop-A-5]",
  async (place) => {
    await using workspace = await open({ "a.txt": "one\n", "dir/b.txt": "b" });
    await symlink(".", join(workspace.root, "link"));
    const target = place.replace("{root}", workspace.root);
    const result = await patch(workspace, "*** Update File: a.txt", `*** Move to: ${target}`, "@@", "-one", "+ONE");
    expect(result.isError).toBe(false);
    expect(await workspace.read("a.txt")).toBe("ONE\n");
  },
);

test("a file that is moved and changed retains its mode [loop-A-5]", async () => {
  await using workspace = await open({ "run.sh": "one\n" });
  await chmod(join(workspace.root, "run.sh"), 0o755);
  await patch(workspace, "*** Update File: run.sh", "*** Move to: bin/run.sh", "@@", "-one", "+ONE");
  expect(await workspace.read("bin/run.sh")).toBe("ONE\n");
  expect((await stat(join(workspace.root, "bin/run.sh"))).mode & 0o777).toBe(0o755);
});

test.each([
  ["leads to another file from there", { "deploy/real.yml": "precious\n" }],
  ["leads nowhere from there", {}],
])("a link that is moved and changed becomes a file if it %s [loop-A-5]", async (_, files) => {
  await using workspace = await open({ "cfg/real.yml": "a: 1\n", ...files });
  await symlink("real.yml", join(workspace.root, "cfg/current"));
  const target = "deploy/current";
  const result = await patch(
    workspace,
    "*** Update File: cfg/current",
    `*** Move to: ${target}`,
    "@@",
    "-a: 1",
    "+a: 2",
  );
  expect(result.isError).toBe(false);
  expect(await workspace.read(target)).toBe("a: 2\n");
  expect((await lstat(join(workspace.root, target))).isFile()).toBe(true);
  expect(await workspace.read("cfg/real.yml")).toBe("a: 1\n");
  expect(await readdir(join(workspace.root, "cfg"))).toEqual(["real.yml"]);
  expect(await readdir(join(workspace.root, "deploy"))).toEqual([
    "current",
    ...Object.keys(files).map(() => "real.yml"),
  ]);
});

test("a link that cannot be moved stays, and no file is left at the new path", async () => {
  await using workspace = await open({ "real.yml": "a: 1\n", "full/x.txt": "x" });
  await symlink("real.yml", join(workspace.root, "link"));
  const result = await patch(workspace, "*** Update File: link", "*** Move to: full", "@@", "-a: 1", "+a: 2");
  expect(result.isError).toBe(true);
  expect(await readdir(workspace.root)).toEqual(["full", "link", "real.yml"]);
  expect(await workspace.read("link")).toBe("a: 1\n");
});

test("a link is deleted itself, wherever it leads [loop-A-3]", async () => {
  await using workspace = await open({ "kept.txt": "kept" });
  await mkdir(join(workspace.root, "folder"));
  const links = { nowhere: "missing", outside: "/etc/hostname", inside: "kept.txt", tree: "folder" };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(workspace.root, name));
  const result = await patch(workspace, ...Object.keys(links).map((name) => `*** Delete File: ${name}`));
  expect(result.isError).toBe(false);
  expect(await readdir(workspace.root)).toEqual(["folder", "kept.txt"]);
});

test("a malformed patch changes nothing and the error names the line [loop-A-14] [loop-A-16]", async () => {
  await using workspace = await open({ "a.txt": "one\n" });
  const result = await patch(workspace, "*** Delete File: a.txt", "*** Frobnicate: b");
  expect(result.isError).toBe(true);
  expect(result.content).toContain("malformed at line 3");
  expect(await workspace.read("a.txt")).toBe("one\n");
});

test("a hunk that matches nowhere leaves its file unchanged, regardless of its other hunks [loop-A-13] [loop-A-16]", async () => {
  await using workspace = await open({ "a.txt": "one\ntwo\n" });
  const result = await patch(workspace, "*** Update File: a.txt", "@@", "-one", "+ONE", "@@", "-three", "+THREE");
  expect(result.isError).toBe(true);
  expect(result.content).toContain("a.txt: hunk 2");
  expect(result.content).toContain("No file was changed.");
  expect(await workspace.read("a.txt")).toBe("one\ntwo\n");
});

test("operations before a failing one are applied, later ones are not attempted, and the report lists both", async () => {
  await using workspace = await open({ "keep.txt": "k" });
  const result = await patch(
    workspace,
    "*** Add File: made.txt",
    "+m",
    "*** Delete File: missing.txt",
    "*** Delete File: keep.txt",
  );
  expect(result.isError).toBe(true);
  expect(result.content).toContain("failed at operation 2 of 3 (delete missing.txt)");
  expect(result.content).toContain("A made.txt");
  expect(result.content).toContain("1 operations after it were not tried.");
  expect(result.details).toMatchObject({
    applied: [{ type: "add", path: "made.txt" }],
    error: { code: "environment.file_not_found" },
  });
  expect(await workspace.read("made.txt")).toBe("m\n");
  expect(await workspace.read("keep.txt")).toBe("k");
});

test.each([
  ["update", ["*** Update File: missing.txt", "@@", "-a", "+b"]],
  ["delete", ["*** Delete File: missing.txt"]],
])("to %s a missing file is an error [loop-A-12]", async (_, lines) => {
  await using workspace = await open();
  const result = await patch(workspace, ...lines);
  expect(result).toMatchObject({ isError: true, details: { error: { code: "environment.file_not_found" } } });
});

test("a folder is not deleted as if it were a file [loop-A-12]", async () => {
  await using workspace = await open({ "dir/file.txt": "x" });
  expect((await patch(workspace, "*** Delete File: dir")).isError).toBe(true);
  expect(await workspace.read("dir/file.txt")).toBe("x");
});

test.each([
  ["*** Add File: ../outside.txt", "+x"],
  ["*** Add File: /etc/switchyard-test", "+x"],
  ["*** Delete File: ../../etc/passwd"],
  ["*** Update File: a.txt", "*** Move to: ../moved.txt", "@@", "-a", "+b"],
])("paths are confined to the workspace: %s [loop-A-15]", async (...lines) => {
  await using workspace = await open({ "a.txt": "a\n" });
  const result = await patch(workspace, ...lines);
  expect(result).toMatchObject({ isError: true, details: { error: { code: "environment.path_outside_workspace" } } });
  expect(await workspace.read("a.txt")).toBe("a\n");
});

test("a byte order mark, CRLF and a missing final newline survive a patch", async () => {
  await using workspace = await open({ "a.txt": "\uFEFFone\r\ntwo\r\nthree" });
  expect((await patch(workspace, "*** Update File: a.txt", "@@", "-one", "+ONE")).isError).toBe(false);
  expect(await workspace.read("a.txt")).toBe("\uFEFFONE\r\ntwo\r\nthree");
});

test("a file that is added over another replaces it and retains its mode [loop-A-2]", async () => {
  await using workspace = await open({ "run.sh": "old\nlines\n" });
  await chmod(join(workspace.root, "run.sh"), 0o755);
  const result = await patch(workspace, "*** Add File: run.sh", "+new");
  expect(result).toMatchObject({
    isError: false,
    content: "Applied the patch:\nA run.sh (overwrote the existing file)",
  });
  expect(await workspace.read("run.sh")).toBe("new\n");
  expect((await stat(join(workspace.root, "run.sh"))).mode & 0o777).toBe(0o755);
});

test("an update retains the mode of the file", async () => {
  await using workspace = await open({ "run.sh": "one\n" });
  await chmod(join(workspace.root, "run.sh"), 0o750);
  await patch(workspace, "*** Update File: run.sh", "@@", "-one", "+two");
  expect((await stat(join(workspace.root, "run.sh"))).mode & 0o777).toBe(0o750);
});

test("operations on one file follow each other: add, update, move, delete of the old name fails [loop-A-6]", async () => {
  await using workspace = await open();
  const result = await patch(
    workspace,
    "*** Add File: a.txt",
    "+one",
    "*** Update File: a.txt",
    "@@",
    "-one",
    "+two",
    "*** Update File: a.txt",
    "*** Move to: b.txt",
    "@@",
    "-two",
    "+three",
    "*** Delete File: a.txt",
  );
  expect(result.content).toContain("failed at operation 4 of 4 (delete a.txt)");
  expect(result.content).toContain("A a.txt\nM a.txt\nR a.txt -> b.txt");
  expect(await workspace.read("b.txt")).toBe("three\n");
});
