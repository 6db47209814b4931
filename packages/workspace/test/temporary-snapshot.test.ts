import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";
import { takeTemporarySnapshot } from "../src/index.ts";

test("only the user can read a temporary workspace's snapshot, and its diff omits excluded files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-temporary-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [root, scratch] = [join(folder, "root"), join(folder, "scratch")];
  await mkdir(root);
  for (const name of ["changed", "excluded", "removed", "same"]) await writeFile(join(root, name), "before\n");
  const env = { PATH: process.env["PATH"], HOME: folder };
  await using environment = await openLocalEnvironment({ root, env });
  const snapshot = await takeTemporarySnapshot(environment, { scratch, env });
  for (const path of [scratch, join(scratch, "a")]) expect((await stat(path)).mode & 0o777).toBe(0o700);
  for (const name of ["added", "changed", "excluded"]) await writeFile(join(root, name), "after\n");
  await rm(join(root, "removed"));
  const { diff } = await snapshot.changes(["excluded"]);
  expect((await stat(join(scratch, "b"))).mode & 0o777).toBe(0o700);
  expect(diff.match(/^[-+]{3} .*$/gm)).toEqual([
    ...["--- /dev/null", "+++ b/added"],
    ...["--- a/changed", "+++ b/changed"],
    ...["--- a/removed", "+++ /dev/null"],
  ]);
});
