import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";
import { takeSnapshot } from "../src/index.ts";

const execute = promisify(execFile);

test("only the user can read a stored snapshot", async () => {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-private-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [root, scratch] = [join(folder, "root"), join(folder, "parts", "scratch")];
  await mkdir(root);
  await writeFile(join(root, "a.txt"), "a\n");
  await execute("git", ["init", "--quiet", root]);
  await using environment = await openLocalEnvironment({ root, env: { PATH: process.env["PATH"], HOME: folder } });
  expect(await takeSnapshot(environment, { scratch })).toBeDefined();
  for (const path of [join(folder, "parts"), scratch]) expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect((await stat(join(scratch, "snapshot.json"))).mode & 0o777).toBe(0o600);
});
