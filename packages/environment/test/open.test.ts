import { release } from "node:os";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openEnvironment } from "@switchyard/environment";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";

test("an environment reports its working directory and its platform [loop-4.1-7]", async () => {
  const { environment, root } = await openWorkspace();
  expect(environment).toMatchObject({ name: "local", workingDirectory: root, osVersion: release() });
  expect(["linux", "darwin", "windows"]).toContain(environment.platform);
});

test("a configuration opens the environment of its type", async () => {
  const { root } = await openWorkspace({ "a.txt": "x" });
  await using environment: ExecutionEnvironment = await openEnvironment({ type: "local", root });
  expect(await environment.readFile("a.txt")).toBe("x");
  // @ts-expect-error there is no such type
  await expect(openEnvironment({ type: "nowhere", root })).rejects.toMatchObject({ code: "config.invalid" });
});

test("an empty root is a mistake and not the folder of this process", async () => {
  await expect(openLocalEnvironment({ root: "" })).rejects.toMatchObject({ code: "config.invalid" });
});

test("a workspace must be an existing folder", async () => {
  const { root } = await openWorkspace({ "a.txt": "x" });
  await expect(openLocalEnvironment({ root: join(root, "no") })).rejects.toMatchObject({ code: "workspace.not_found" });
  for (const path of ["a.txt", "a.txt/b"]) {
    await expect(openLocalEnvironment({ root: join(root, path) })).rejects.toMatchObject({
      code: "workspace.not_a_directory",
    });
  }
});
