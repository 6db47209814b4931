import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openOverlay } from "@switchyard/environment/wrappers";
import { expect, test } from "vitest";
import { openWorkspace } from "../open-workspace.ts";

const BINARY = Uint8Array.of(0, 1, 2, 255);

test("the base stays unchanged until an overlay is applied, and discarded changes are dropped [loop-4.4-1]", async () => {
  const { environment, root } = await openWorkspace({ "a.txt": "old\n", "d/b.txt": "b\n" });
  const overlay = openOverlay(environment);
  await overlay.environment.writeFile("a.txt", "new\n");
  await overlay.environment.remove("d");
  expect(await overlay.environment.exists("d/b.txt")).toBe(false);
  expect([readFileSync(join(root, "a.txt"), "utf8"), existsSync(join(root, "d/b.txt"))]).toEqual(["old\n", true]);
  await overlay.discard();
  expect([await overlay.changes(), await overlay.diff()]).toEqual([[], ""]);
  expect(await overlay.environment.readFile("a.txt")).toBe("old\n");
  await overlay.environment.writeFile("a.txt", "newer\n");
  expect(await overlay.apply()).toMatchObject({ kind: "applied", changes: [{ kind: "modified", path: "a.txt" }] });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("newer\n");
});

test("changes are returned as data, and as a diff that git can apply [loop-4.4-1]", async () => {
  const files = {
    "a.txt": "1\n2\n3\n",
    "b.bin": BINARY,
    "gone.txt": "x",
    "dir/one.txt": "one\n",
    "dir/two.txt": "two\n",
    same: "s",
    'quoted "é".txt': "q",
  };
  const { environment, root } = await openWorkspace(files);
  const { environment: copy, root: copied } = await openWorkspace(files);
  const overlay = openOverlay(environment);
  const view = overlay.environment;
  await view.writeFile("a.txt", "1\n2\nthree");
  await view.writeFile("b.bin", Uint8Array.of(9, 0, 9));
  await view.remove("gone.txt");
  await view.rename("dir", "moved dir");
  await view.writeFile("moved dir/two.txt", "two and more\n");
  await view.writeFile('odd "name"\t\n', "");
  await view.rename('quoted "é".txt', 'moved "é".txt');
  await view.writeFile("same", "s");
  await view.makeDirectory("empty");
  const { ...plain } = { entry: "file", isBinary: false, isModified: false } as const;
  expect(await overlay.changes()).toEqual([
    { ...plain, kind: "modified", path: "a.txt", isModified: true },
    { ...plain, kind: "modified", path: "b.bin", isModified: true, isBinary: true },
    { ...plain, kind: "added", path: "empty", entry: "directory" },
    { ...plain, kind: "removed", path: "gone.txt" },
    { ...plain, kind: "renamed", from: 'quoted "é".txt', path: 'moved "é".txt' },
    { ...plain, kind: "renamed", from: "dir/one.txt", path: "moved dir/one.txt" },
    { ...plain, kind: "renamed", from: "dir/two.txt", path: "moved dir/two.txt", isModified: true },
    { ...plain, kind: "added", path: 'odd "name"\t\n' },
  ]);
  const diff = await overlay.diff();
  expect(diff).toContain("@@ -1,3 +1,3 @@\n 1\n 2\n-3\n+three\n\\ No newline at end of file\n");
  expect(diff).toContain("rename from dir/one.txt\nrename to moved dir/one.txt\n");
  expect(diff).toContain('rename from "quoted \\"\\303\\251\\".txt"\nrename to "moved \\"\\303\\251\\".txt"\n');
  execFileSync("git", ["apply", "-"], { cwd: copied, input: diff });
  expect(await overlay.apply()).toMatchObject({ kind: "applied" });
  await copy.makeDirectory("empty");
  const all = await environment.listDirectory(".", 9);
  expect(await copy.listDirectory(".", 9)).toEqual(all);
  for (const { name } of all.filter(({ kind }) => kind === "file")) {
    expect(readFileSync(join(copied, name))).toEqual(readFileSync(join(root, name)));
  }
  execFileSync("git", ["apply", "-R", "-"], { cwd: copied, input: diff });
  expect(readFileSync(join(copied, "b.bin"))).toEqual(Buffer.from(BINARY));
});

test("conflicting changes in the base prevent applying, unless forced [loop-4.4-1]", async () => {
  const { environment, root } = await openWorkspace({
    "a.txt": "a",
    "b.txt": "b",
    "d/c.txt": "c",
    "m.txt": "m",
    "ok.txt": "",
  });
  const overlay = openOverlay(environment);
  const view = overlay.environment;
  await view.writeFile("a.txt", "mine");
  await view.remove("b.txt");
  await view.remove("d");
  await view.rename("m.txt", "n.txt");
  await view.writeFile("new.txt", "mine");
  await view.writeFile("ok.txt", "mine");
  writeFileSync(join(root, "a.txt"), "b");
  writeFileSync(join(root, "b.txt"), "theirs");
  writeFileSync(join(root, "d/added.txt"), "theirs");
  writeFileSync(join(root, "n.txt"), "theirs");
  writeFileSync(join(root, "new.txt"), "theirs");
  expect(await overlay.apply()).toEqual({
    kind: "conflict",
    conflicts: [
      { path: "a.txt", problem: "changed" },
      { path: "b.txt", problem: "changed" },
      { path: "d/added.txt", problem: "added" },
      { path: "n.txt", problem: "added" },
      { path: "new.txt", problem: "added" },
    ],
  });
  expect([await environment.readFile("ok.txt"), await environment.readFile("a.txt")]).toEqual(["", "b"]);
  expect(await view.readFile("a.txt")).toBe("mine");
  expect(await overlay.apply({ force: true })).toMatchObject({ kind: "applied" });
  const names = (await environment.listDirectory(".", 9)).map(({ name }) => name);
  expect(names).toEqual(["a.txt", "n.txt", "new.txt", "ok.txt"]);
  expect([await environment.readFile("a.txt"), await environment.readFile("n.txt")]).toEqual(["mine", "m"]);
});

test("file modes are preserved, and swapped paths are applied [loop-4.4-1]", async () => {
  const { environment, root } = await openWorkspace({ "run.sh": "old", a: "1", b: "2", "x/f": "3", "y/f": "4" });
  chmodSync(join(root, "run.sh"), 0o755);
  const overlay = openOverlay(environment);
  const view = overlay.environment;
  await view.writeFile("run.sh", "new");
  await view.rename("run.sh", "bin/run.sh");
  for (const [one, other] of [
    ["a", "b"],
    ["x", "y"],
  ] as const) {
    await view.rename(one, "between");
    await view.rename(other, one);
    await view.rename("between", other);
  }
  await view.rename("x/f", "x/g");
  expect(await overlay.apply()).toMatchObject({ kind: "applied" });
  expect(statSync(join(root, "bin/run.sh")).mode & 0o777).toBe(0o755);
  const contents = ["bin/run.sh", "a", "b", "x/g", "y/f"].map((path) => environment.readFile(path));
  expect(await Promise.all(contents)).toEqual(["new", "2", "1", "4", "3"]);
  expect((await environment.listDirectory(".")).map(({ name }) => name)).toEqual(["a", "b", "bin", "x", "y"]);
});

test("searches see the merged files: ignore rules, modification order and removals [loop-4.4-1]", async () => {
  const { environment, root } = await openWorkspace({
    "old.txt": "needle",
    "mid.txt": "needle",
    "gone.txt": "needle",
    "k.log": "needle",
  });
  utimesSync(join(root, "old.txt"), 1_000, 1_000);
  utimesSync(join(root, "mid.txt"), 3_000, 3_000);
  const overlay = openOverlay(environment, { now: () => 2_000_000 });
  const view = overlay.environment;
  await view.remove("gone.txt");
  await view.writeFile("new.txt", "needle\n");
  await view.writeFile(".gitignore", "*.log\n");
  expect(await view.glob("*.txt")).toEqual(["mid.txt", "new.txt", "old.txt"]);
  expect(await view.glob("*.txt", { maxResults: 1 })).toEqual(["mid.txt"]);
  utimesSync(join(root, "old.txt"), 4_000, 4_000);
  expect(await view.glob("*.txt", { maxResults: 1 })).toEqual(["old.txt"]);
  utimesSync(join(root, "old.txt"), 1_000, 1_000);
  const { matches } = await view.grep("needle");
  expect(matches.map(({ path }) => path)).toEqual(["mid.txt", "new.txt", "old.txt"]);
  expect((await environment.grep("needle")).matches).toHaveLength(4);
});

test("links of the base resolve within the overlay, and never lead outside [loop-4.4-1]", async () => {
  const { environment, root, outside } = await openWorkspace({ "real/a.txt": "old", "other/b.txt": "b" });
  symlinkSync("real", join(root, "link"));
  symlinkSync("../real/a.txt", join(root, "other/to-a"));
  symlinkSync(outside, join(root, "out"));
  const overlay = openOverlay(environment);
  const view = overlay.environment;
  await view.writeFile("real/a.txt", "new");
  expect(await view.readFile("link/a.txt")).toBe("new");
  expect(await view.readFile("other/to-a")).toBe("new");
  await view.writeFile("link/c.txt", "c");
  expect(await view.readFile("real/c.txt")).toBe("c");
  for (const path of ["out/secret.txt", "out/../real/a.txt/../../../outside/secret.txt"]) {
    await expect(view.readFile(path)).rejects.toMatchObject({ code: "environment.path_outside_workspace" });
  }
  await expect(view.writeFile("out/x.txt", "x")).rejects.toMatchObject({ code: "environment.path_outside_workspace" });
  await view.remove("link");
  expect(await view.readFile("real/a.txt")).toBe("new");
  expect(await overlay.diff()).toContain("deleted file mode 120000");
  expect(await overlay.apply()).toMatchObject({ kind: "applied" });
  expect(existsSync(join(root, "link"))).toBe(false);
  expect(existsSync(join(outside, "secret.txt"))).toBe(true);
});

test("commands are refused, or see only the base; the layer's size is limited [loop-4.4-1]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "old" });
  const overlay = openOverlay(environment, { maxBytes: 10 });
  const refusal = {
    code: "environment.command_refused",
    message: expect.stringContaining("files of the base environment"),
  };
  await expect(overlay.environment.shell("cat a.txt")).rejects.toMatchObject(refusal);
  await expect(overlay.environment.spawn(["cat"])).rejects.toMatchObject(refusal);
  await overlay.environment.writeFile("a.txt", "12345678");
  await expect(overlay.environment.writeFile("b.txt", "123")).rejects.toMatchObject({ code: "environment.disk_full" });
  await overlay.environment.remove("a.txt");
  await overlay.environment.writeFile("b.txt", "1234567890");
  const open = openOverlay(environment, { commands: "base" });
  await open.environment.writeFile("a.txt", "new");
  expect((await open.environment.exec(["cat", "a.txt"])).stdout).toBe("old");
});

test("an overlay can wrap another one [loop-4.4-1]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "1", "d/b.txt": "b" });
  const lower = openOverlay(environment);
  const upper = openOverlay(lower.environment);
  await lower.environment.rename("d", "e");
  await upper.environment.writeFile("a.txt", "2");
  await upper.environment.rename("e/b.txt", "c.txt");
  expect(await lower.environment.readFile("a.txt")).toBe("1");
  expect(await upper.apply()).toMatchObject({ kind: "applied" });
  expect(await lower.environment.readFile("c.txt")).toBe("b");
  expect(await environment.readFile("d/b.txt")).toBe("b");
  await lower.apply();
  expect((await environment.listDirectory(".", 2)).map(({ name }) => name)).toEqual(["a.txt", "c.txt", "e"]);
});
