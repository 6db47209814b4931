import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";

const outsideError = expect.objectContaining({ code: "environment.path_outside_workspace" });

/** Returns every file operation, for one path. */
function operationsAt(environment: ExecutionEnvironment, path: string): (() => Promise<unknown>)[] {
  return [
    () => environment.readFile(path),
    () => environment.readBytes(path),
    () => environment.writeFile(path, "overwritten"),
    () => environment.stat(path),
    () => environment.exists(path),
    () => environment.listDirectory(path),
    () => environment.grep("SECRET", { path }),
    () => environment.glob("*", { path }),
    () => environment.exec(["true"], { cwd: path }),
    () => environment.makeDirectory(path),
  ];
}

test("every operation refuses a path that leads out by its text", async () => {
  const { environment, outside } = await openWorkspace({ "a.txt": "x" });
  for (const path of ["../outside/secret.txt", "../outside", join(outside, "secret.txt"), "/etc/passwd", ".."]) {
    for (const operation of operationsAt(environment, path)) await expect(operation()).rejects.toEqual(outsideError);
    await expect(environment.remove(path)).rejects.toEqual(outsideError);
    await expect(environment.rename(path, "b")).rejects.toEqual(outsideError);
    await expect(environment.rename("a.txt", path)).rejects.toEqual(outsideError);
  }
  expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("SECRET\n");
});

test("links that lead out are refused by every operation, links that stay inside are followed", async () => {
  const { environment, root, outside } = await openWorkspace({ "real/a.txt": "inside\n" });
  symlinkSync(outside, join(root, "out"));
  symlinkSync(join(outside, "secret.txt"), join(root, "out.txt"));
  symlinkSync("../outside/new.txt", join(root, "out-new.txt"));
  symlinkSync("real", join(root, "in"));
  symlinkSync("real/a.txt", join(root, "in.txt"));
  for (const operation of operationsAt(environment, "out")) await expect(operation()).rejects.toEqual(outsideError);
  for (const operation of operationsAt(environment, "out.txt").slice(0, 5))
    await expect(operation()).rejects.toEqual(outsideError);
  for (const path of ["out-new.txt", "out/new.txt", "out/deep/new.txt"]) {
    await expect(environment.writeFile(path, "x")).rejects.toEqual(outsideError);
  }
  await expect(environment.makeDirectory("out/made")).rejects.toEqual(outsideError);
  await expect(environment.rename("real/a.txt", "out/a.txt")).rejects.toEqual(outsideError);
  await expect(environment.remove("out/secret.txt")).rejects.toEqual(outsideError);
  await expect(environment.glob("out/*")).rejects.toEqual(outsideError);
  expect(readdirSync(outside)).toEqual(["secret.txt"]);

  expect(await environment.readFile("in/a.txt")).toBe("inside\n");
  await environment.writeFile("in.txt", "through the link\n");
  expect(readFileSync(join(root, "real/a.txt"), "utf8")).toBe("through the link\n");
  expect((await environment.exec(["pwd", "-P"], { cwd: "in" })).stdout).toBe(`${root}/real\n`);
  await environment.remove("out");
  expect(readdirSync(outside)).toEqual(["secret.txt"]);
});

test("links in a circle are an error", async () => {
  const { environment, root } = await openWorkspace();
  symlinkSync("b", join(root, "a"));
  symlinkSync("a", join(root, "b"));
  for (const action of [() => environment.readFile("a"), () => environment.writeFile("a", "x")]) {
    await expect(action()).rejects.toMatchObject({ code: "environment.invalid_path" });
  }
  expect(await environment.glob("**/*")).toEqual([]);
});

test.each(["../outside/*", "/etc/*", "../**", "a/../../outside/*"])("the glob %s is refused", async (pattern) => {
  const { environment } = await openWorkspace({ "a/b.txt": "x" });
  await expect(environment.glob(pattern)).rejects.toEqual(outsideError);
});

test.each(["{.,..}/outside/*", "[.][.]/outside/*", "??/outside/*", "**/../outside/*", "link/*", "**/secret.txt"])(
  "the glob %s finds nothing outside",
  async (pattern) => {
    for (const ripgrep of [undefined, false] as const) {
      const { environment, root, outside } = await openWorkspace({ "outside/a.txt": "x" }, { ripgrep });
      mkdirSync(join(root, "sub"));
      symlinkSync(outside, join(root, "sub/link"));
      symlinkSync(".", join(root, "loop"));
      const found = await environment.glob(pattern);
      expect(found.filter((path) => path.includes("secret") || path.startsWith(".."))).toEqual([]);
      expect(await environment.glob("outside/*")).toEqual(["outside/a.txt"]);
      expect(await environment.grep("SECRET")).toEqual({ matches: [], truncated: false });
      expect((await environment.grep("x")).matches).toHaveLength(1);
    }
  },
);

const SWAPPER = `
const { renameSync, rmSync } = require("node:fs");
const { workerData } = require("node:worker_threads");
const [live, folder, link] = workerData.paths;
const stop = new Int32Array(workerData.stop);
// A write may create the folder again while it is missing.
const take = (from) => {
  for (;;) {
    try { renameSync(from, live); return; } catch {}
    try { rmSync(live, { recursive: true, force: true }); } catch {}
  }
};
while (Atomics.load(stop, 0) === 0) {
  renameSync(live, folder); take(link);
  renameSync(live, link); take(folder);
}
`;

/** Replaces a folder by a link out of the workspace, and back, until the test ends. */
function swapAllTheTime(root: string, outside: string): void {
  symlinkSync(outside, join(root, "link"));
  const stop = new SharedArrayBuffer(4);
  const worker = new Worker(SWAPPER, {
    eval: true,
    workerData: { stop, paths: [join(root, "live"), join(root, "folder"), join(root, "link")] },
  });
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  onTestFinished(async () => {
    Atomics.store(new Int32Array(stop), 0, 1);
    await exited;
  });
}

test("a search in a folder that is constantly replaced by a link exposes nothing outside", async () => {
  const names = Array.from({ length: 100 }, (_, index) => `${index}.txt`);
  const files = Object.fromEntries(names.map((name) => [`live/${name}`, "inside\n"]));
  const { environment, root, outside } = await openWorkspace(files);
  for (const name of names) writeFileSync(join(outside, name), "SECRET\n");
  swapAllTheTime(root, outside);
  let found = 0;
  for (let round = 0; round < 40 || found === 0; round += 1) {
    for (const mode of ["content", "files", "count"] as const) {
      expect((await environment.grep("SECRET", { mode })).matches).toEqual([]);
    }
    found += (await environment.grep("inside")).matches.length;
    expect(await environment.glob("live/secret.txt").catch(() => [])).toEqual([]);
    expect(await environment.glob("**/secret.txt")).toEqual([]);
  }
});

test("a folder that is constantly replaced by a link never leads outside", async () => {
  const { environment, root, outside } = await openWorkspace({ "live/secret.txt": "inside\n" });
  swapAllTheTime(root, outside);
  const seen = { inside: 0, refused: 0 };
  for (let round = 0; round < 1_000 || seen.inside === 0 || seen.refused === 0; round += 1) {
    try {
      const isWrite = round % 2 === 1;
      if (isWrite) await environment.writeFile("live/written.txt", "x");
      else expect(await environment.readFile("live/secret.txt")).toBe("inside\n");
      seen.inside += 1;
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      seen.refused += 1;
    }
  }
  expect(readdirSync(outside)).toEqual(["secret.txt"]);
});

test("a link planted at the path of a temporary file is not followed", async () => {
  const { environment, root, outside } = await openWorkspace({ "a.txt": "old" });
  for (const name of [".a.txt.tmp", "a.txt.tmp", ".switchyard-.tmp", `.a.txt.${process.pid}.tmp`]) {
    symlinkSync(join(outside, "secret.txt"), join(root, name));
  }
  await environment.writeFile("a.txt", "new");
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("new");
  expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("SECRET\n");
});

test("a workspace that is opened through a link is reached by both of its names", async () => {
  const { root, outside } = await openWorkspace({ "a.txt": "x" });
  symlinkSync(root, join(outside, "alias"));
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  await using environment = await openLocalEnvironment({ root: join(outside, "alias") });
  expect(environment.workingDirectory).toBe(root);
  expect(await environment.readFile(join(outside, "alias/a.txt"))).toBe("x");
  expect(await environment.readFile(join(root, "a.txt"))).toBe("x");
  writeFileSync(join(root, "b.txt"), "y");
  expect(await environment.readFile("b.txt")).toBe("y");
});
