import { spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";

const refused = (code: string) => expect.objectContaining({ code: `environment.${code}` });

test("files are written, read, tested and listed to a depth [loop-4.1-2] [loop-9.4-1]", async () => {
  const { environment, root } = await openWorkspace();
  await environment.writeFile("a/b/c.txt", "hello\n");
  expect(readFileSync(join(root, "a/b/c.txt"), "utf8")).toBe("hello\n");
  expect(await environment.readFile(join(root, "a/b/c.txt"))).toBe("hello\n");
  expect([
    await environment.exists("a/b/c.txt"),
    await environment.exists("a/x"),
    await environment.exists("a/b/c.txt/d"),
  ]).toEqual([true, false, false]);
  expect(await environment.listDirectory("a")).toEqual([{ name: "b", kind: "directory" }]);
  expect(await environment.listDirectory(".", 3)).toEqual([
    { name: "a", kind: "directory" },
    { name: "a/b", kind: "directory" },
    { name: "a/b/c.txt", kind: "file", size: 6 },
  ]);
});

test("temporary files of a process killed during a write are removed by the next write to the folder [D9]", async () => {
  const { environment, root } = await openWorkspace({ "a/b.txt": "old" });
  const living = await temporaryNameOf(environment, join(root, "a"));
  const dead = living.replace(`-${process.pid}-`, `-${spawnSync("true").pid}-`);
  const elsewhere = dead.replace(/-[0-9a-f]{8}-/, "-00000000-");
  for (const name of [living, dead, elsewhere]) writeFileSync(join(root, "a", name), "half");
  await using resumed = await openLocalEnvironment({ root });
  await resumed.writeFile("a/b.txt", "new");
  expect(readdirSync(join(root, "a")).sort()).toEqual([living, elsewhere, "b.txt", "large.bin"].sort());
});

/** Returns the temporary name under which a file is written. */
async function temporaryNameOf(environment: ExecutionEnvironment, folder: string): Promise<string> {
  const writing = environment.writeFile(join(folder, "large.bin"), Buffer.alloc(64 * 1024 * 1024));
  let name: string | undefined;
  while (name === undefined) {
    await new Promise(setImmediate);
    name = readdirSync(folder).find((entry) => entry.endsWith(".tmp"));
  }
  await writing;
  return name;
}

test("an entry has a name, a kind, and a size if it has one; links are not followed [loop-4.1-5]", async () => {
  const { environment, root, outside } = await openWorkspace({ "b.txt": "12345" });
  mkdirSync(join(root, "a"));
  symlinkSync(outside, join(root, "link"));
  expect(await environment.listDirectory(".", 5)).toEqual([
    { name: "a", kind: "directory" },
    { name: "b.txt", kind: "file", size: 5 },
    { name: "link", kind: "symlink" },
  ]);
});

test("a path relative to the working directory and its absolute form are the same file [loop-4.2-1]", async () => {
  const { environment, root } = await openWorkspace({ "a.txt": "x" });
  expect(environment.workingDirectory).toBe(root);
  expect(await environment.readFile("a.txt")).toBe(await environment.readFile(join(root, "a.txt")));
  expect(await environment.stat("a.txt")).toMatchObject({ kind: "file", size: 1 });
});

test("line ends, a byte order mark and a missing last line end come back as they are", async () => {
  const text = "\ufeffone\r\ntwo\rstill two\n\n\u2028last";
  const { environment } = await openWorkspace({ "a.txt": text });
  expect(await environment.readFile("a.txt")).toBe(text);
  expect(await environment.readFile("a.txt", { offset: 2, limit: 1 })).toBe("two\rstill two\n");
});

test("windows of lines, put together, give the file", async () => {
  const { environment, root } = await openWorkspace();
  const line = fc.string({ unit: "grapheme", maxLength: 5 }).filter((text) => !/[\n\0]/.test(text));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 4 }), async (lines, limit) => {
      const text = lines.join("\n");
      writeFileSync(join(root, "a.txt"), text);
      let joined = "";
      for (let offset = 1; offset <= lines.length + limit; offset += limit) {
        joined += await environment.readFile("a.txt", { offset, limit });
      }
      expect(joined).toBe(text);
    }),
    { numRuns: 40 },
  );
});

test("a window far into a large file is right, again from the index, and again after a change", async () => {
  const lines = Array.from({ length: 300_000 }, (_, index) => `line ${index + 1}`);
  const { environment, root } = await openWorkspace({ "big.txt": lines.join("\n") }, { maxReadBytes: 1_000_000 });
  for (const offset of [299_999, 150_000, 299_999, 1, 200_000]) {
    expect(await environment.readFile("big.txt", { offset, limit: 1 })).toBe(`line ${offset}\n`);
  }
  expect(await environment.readFile("big.txt", { offset: 300_000 })).toBe("line 300000");
  expect(await environment.readFile("big.txt", { offset: 300_001 })).toBe("");
  writeFileSync(join(root, "big.txt"), `first\n${lines.join("\n")}`);
  expect(await environment.readFile("big.txt", { offset: 200_000, limit: 1 })).toBe("line 199999\n");
});

test("a file that is too large is refused whole and read in windows", async () => {
  const { environment } = await openWorkspace({ "a.txt": "12345\n".repeat(100) }, { maxReadBytes: 100 });
  await expect(environment.readFile("a.txt")).rejects.toEqual(refused("file_too_large"));
  await expect(environment.readFile("a.txt", { limit: 50 })).rejects.toEqual(refused("file_too_large"));
  await expect(environment.readBytes("a.txt")).rejects.toEqual(refused("file_too_large"));
  expect(await environment.readFile("a.txt", { offset: 2, limit: 2 })).toBe("12345\n12345\n");
  expect(Buffer.from(await environment.readBytes("a.txt", { offset: 4, length: 3 })).toString()).toBe("5\n1");
});

test("binary files are refused as text and read as bytes; invalid UTF-8 is text", async () => {
  const bytes = Uint8Array.from([0x89, 0x50, 0, 1, 255]);
  const { environment } = await openWorkspace({ "a.png": bytes, "latin.txt": Uint8Array.from([0x63, 0xe9, 0x0a]) });
  await expect(environment.readFile("a.png")).rejects.toEqual(refused("binary_file"));
  expect(await environment.readBytes("a.png")).toEqual(bytes);
  expect(await environment.readFile("latin.txt")).toBe("c\ufffd\n");
});

test("a write keeps the mode, replaces the whole content and creates no other file", async () => {
  const { environment, root } = await openWorkspace({ "run.sh": "a long old content", "other.sh": "" });
  chmodSync(join(root, "run.sh"), 0o751);
  linkSync(join(root, "run.sh"), join(root, "second-name.sh"));
  await environment.writeFile("run.sh", "new");
  expect(statSync(join(root, "run.sh")).mode & 0o7777).toBe(0o751);
  expect(readFileSync(join(root, "run.sh"), "utf8")).toBe("new");
  expect(readFileSync(join(root, "second-name.sh"), "utf8")).toBe("a long old content");
  expect(readdirSync(root).sort()).toEqual(["other.sh", "run.sh", "second-name.sh"]);
});

test("a failed write keeps the old content and creates no other file [loop-3.3-9]", async ({ skip }) => {
  skip(process.platform !== "linux", "limits the size of files with Linux's ulimit");
  const { environment, root } = await openWorkspace({ "a.txt": "old" });
  mkdirSync(join(root, "folder"));
  await expect(environment.writeFile("folder", "x")).rejects.toEqual(refused("not_a_file"));
  await expect(environment.writeFile("a.txt/b", "x")).rejects.toEqual(refused("not_a_directory"));
  expect(readdirSync(root).sort()).toEqual(["a.txt", "folder"]);
});

test("a full disk is a classified error, and the old content stays [loop-3.3-9]", async ({ skip }) => {
  const { environment, root } = await openWorkspace({ "disk/keep": "" });
  const mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", join(root, "disk")];
  const mounted = await environment.exec(mount).catch(() => ({ exitCode: 1 }));
  skip(mounted.exitCode !== 0, "mounting a small file system needs root");
  try {
    await environment.writeFile("disk/a.txt", "old");
    await expect(environment.writeFile("disk/a.txt", "x".repeat(1_000_000))).rejects.toEqual(refused("disk_full"));
    expect(await environment.readFile("disk/a.txt")).toBe("old");
    expect(await environment.listDirectory("disk")).toHaveLength(1);
  } finally {
    await environment.exec(["umount", join(root, "disk")]);
  }
});

test("missing files and folders are classified errors with the path [loop-3.3-4]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "x" });
  for (const action of [
    () => environment.readFile("no.txt"),
    () => environment.stat("no.txt"),
    () => environment.listDirectory("no.txt"),
    () => environment.remove("no.txt"),
    () => environment.rename("no.txt", "b/c"),
  ]) {
    await expect(action()).rejects.toMatchObject({ code: "environment.file_not_found", details: { path: "no.txt" } });
  }
  expect(await environment.exists("b")).toBe(false);
  await expect(environment.listDirectory("a.txt")).rejects.toEqual(refused("not_a_directory"));
  await expect(environment.readFile(".")).rejects.toEqual(refused("not_a_file"));
});

test("a file that may not be read or written is a permission error [loop-3.3-5]", async ({ skip }) => {
  skip(process.getuid?.() === 0, "root can read and write all files");
  const { environment, root } = await openWorkspace({ "a.txt": "x" });
  chmodSync(join(root, "a.txt"), 0o400);
  await expect(environment.writeFile("a.txt", "y")).rejects.toEqual(refused("permission_denied"));
  chmodSync(join(root, "a.txt"), 0);
  await expect(environment.readFile("a.txt")).rejects.toEqual(refused("permission_denied"));
});

test("pipes, sockets and devices are refused at once, for reading and for writing", async ({ skip }) => {
  skip(process.platform === "win32", "Windows has no such files");
  const { environment, root } = await openWorkspace({ "plain.txt": "x" });
  await environment.exec(["mkfifo", "pipe"]);
  const server = createServer().listen(join(root, "socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  for (const path of ["pipe", "socket"]) {
    await expect(environment.readFile(path)).rejects.toEqual(refused("not_a_file"));
    await expect(environment.readBytes(path)).rejects.toEqual(refused("not_a_file"));
    await expect(environment.writeFile(path, "x")).rejects.toEqual(refused("not_a_file"));
    await expect(environment.grep("x", { path })).rejects.toEqual(refused("not_a_file"));
    expect(await environment.stat(path)).toMatchObject({ kind: "other" });
  }
  expect((await environment.grep("x")).matches).toHaveLength(1);
  await new Promise((resolve) => server.close(resolve));
});

test("moving creates folders and replaces a file; removing removes a folder with its content", async () => {
  const { environment, root, outside } = await openWorkspace({ "a.txt": "a", "b.txt": "b", "d/e/f.txt": "f" });
  symlinkSync(outside, join(root, "d/link"));
  await environment.rename("a.txt", "x/y/a.txt");
  await environment.rename("b.txt", "x/y/a.txt");
  expect(await environment.readFile("x/y/a.txt")).toBe("b");
  await environment.remove("d");
  expect(readdirSync(root)).toEqual(["x"]);
  expect(readdirSync(outside)).toEqual(["secret.txt"]);
  await environment.makeDirectory("m/n");
  await environment.makeDirectory("m/n");
  expect((await environment.stat("m/n")).kind).toBe("directory");
  await expect(environment.makeDirectory("x/y/a.txt")).rejects.toEqual(refused("not_a_directory"));
});

test("after a hundred concurrent writes to one file, it contains one of them completely", async () => {
  const { environment, root } = await openWorkspace();
  const contents = Array.from({ length: 100 }, (_, index) => `${index}`.repeat(1000));
  await Promise.all(contents.map((content) => environment.writeFile("new/a.txt", content)));
  expect(contents).toContain(await environment.readFile("new/a.txt"));
  expect(readdirSync(join(root, "new"))).toEqual(["a.txt"]);
});

test("a folder is removed for any bytes in the names inside it", async ({ skip }) => {
  skip(process.platform !== "linux", "only Linux allows names that are not Unicode");
  const { environment, root } = await openWorkspace({ "folder/inner/a.txt": "a" });
  const odd = (folder: string) =>
    Buffer.concat([Buffer.from(`${join(root, folder)}/`), Buffer.from([0xff, 0x2e, 0xfe])]);
  mkdirSync(odd("folder"));
  writeFileSync(odd("folder/inner"), "x");
  await environment.remove("folder");
  expect(readdirSync(root)).toEqual([]);
});

test("a folder that cannot be moved into itself is named, no path of the system call is", async () => {
  const { environment } = await openWorkspace({ "folder/a.txt": "a" });
  const error = await environment.rename("folder", "folder/inner").catch((reason: unknown) => reason);
  expect(error).toEqual(refused("invalid_path"));
  expect(String(error)).toContain("folder/inner");
  expect(String(error)).not.toContain("/proc/");
});

test("a folder whose path is too long to be reported does not hide the others", async ({ skip }) => {
  skip(process.platform !== "linux", "such a folder can only be created on Linux");
  const { environment } = await openWorkspace({ "z.txt": "needle" });
  await environment.shell(`for n in $(seq 25); do mkdir ${"d".repeat(200)} && cd ${"d".repeat(200)} || exit 1; done`);
  onTestFinished(async () => void (await environment.exec(["rm", "-rf", "d".repeat(200)])));
  const names = (await environment.listDirectory(".", 100)).map(({ name }) => name);
  expect(names[0]).toBe("d".repeat(200));
  expect(names.at(-1)).toBe("z.txt");
});

test("a workspace that a command removed is made again by the next write, and commands run there", async () => {
  const { environment, root } = await openWorkspace();
  await environment.exec(["rm", "-rf", root]);
  expect(await environment.exists(".")).toBe(false);
  await environment.makeDirectory(".");
  expect(readdirSync(root)).toEqual([]);
  await environment.exec(["rm", "-rf", root]);
  await environment.writeFile("a/b.txt", "hello\n");
  expect((await environment.exec(["cat", "a/b.txt"])).stdout).toBe("hello\n");
});
