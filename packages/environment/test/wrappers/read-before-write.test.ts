import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withReadBeforeWrite } from "@switchyard/environment/wrappers";
import { expect, test } from "vitest";
import { openWorkspace } from "../open-workspace.ts";

const NOT_READ = { code: "environment.file_not_read" };
const CHANGED = { code: "environment.file_changed" };

test("an existing file can be overwritten, replaced or removed only after a read; new files always [loop-8-5]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "old", "b.txt": "b", "d/c.txt": "c" });
  const guarded = withReadBeforeWrite(environment);
  await guarded.writeFile("new.txt", "1");
  await guarded.writeFile("new.txt", "2");
  await expect(guarded.writeFile("a.txt", "new")).rejects.toMatchObject({ ...NOT_READ, details: { path: "a.txt" } });
  await expect(guarded.rename("new.txt", "./a.txt")).rejects.toMatchObject(NOT_READ);
  await expect(guarded.remove("a.txt")).rejects.toMatchObject(NOT_READ);
  await expect(guarded.remove("d")).rejects.toMatchObject({ ...NOT_READ, details: { path: "d/c.txt" } });
  expect(await environment.readFile("a.txt")).toBe("old");
  await guarded.grep("old");
  await expect(guarded.writeFile("a.txt", "new")).rejects.toMatchObject(NOT_READ);
  await guarded.readFile(`${environment.workingDirectory}/x/../a.txt`);
  await guarded.writeFile("a.txt", "new");
  await guarded.rename("new.txt", "a.txt");
  await guarded.rename("a.txt", "moved.txt");
  await guarded.writeFile("moved.txt", "3");
  await guarded.readBytes("d/c.txt", { length: 1 });
  await guarded.remove("d");
  await guarded.remove("moved.txt");
  expect((await environment.listDirectory(".")).map(({ name }) => name)).toEqual(["b.txt"]);
});

test("a file changed by another process or a command must be read again [loop-8-5]", async () => {
  const { environment, root } = await openWorkspace({ "a.txt": "old", "b.txt": "old" });
  const guarded = withReadBeforeWrite(environment);
  await guarded.readFile("a.txt");
  writeFileSync(join(root, "a.txt"), "neu");
  await expect(guarded.writeFile("a.txt", "mine")).rejects.toMatchObject(CHANGED);
  await guarded.readBytes("b.txt");
  await guarded.shell("echo more >> b.txt");
  await expect(guarded.remove("b.txt")).rejects.toMatchObject(CHANGED);
  await guarded.readFile("b.txt", { limit: 1 });
  await guarded.remove("b.txt");
  await guarded.shell("true; touch -t 200101010101 a.txt; printf old > a.txt");
  await guarded.writeFile("a.txt", "mine");
  expect(await guarded.readFile("a.txt")).toBe("mine");
});

test("a removed file is forgotten, and a file created in its place must be read [loop-8-5]", async () => {
  const { environment, root } = await openWorkspace({ "a.txt": "old" });
  const guarded = withReadBeforeWrite(environment);
  await guarded.readFile("a.txt");
  await guarded.remove("a.txt");
  writeFileSync(join(root, "a.txt"), "old");
  await expect(guarded.writeFile("a.txt", "new")).rejects.toMatchObject(NOT_READ);
  await expect(guarded.writeFile(".", "x")).rejects.toMatchObject({ code: "environment.invalid_path" });
  await expect(guarded.writeFile("../x", "x")).rejects.toMatchObject({ code: "environment.path_outside_workspace" });
});

test("many concurrent writes to one known file all succeed [loop-8-5]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "old" });
  const guarded = withReadBeforeWrite(environment);
  await guarded.readFile("a.txt");
  await Promise.all(["1", "2", "3", "4"].map((content) => guarded.writeFile("a.txt", content)));
  expect(await guarded.readFile("a.txt")).toBe("4");
});
