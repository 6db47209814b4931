import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { digestCode } from "./digest-code.ts";

async function openFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "digest-code-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

test("a digest covers the names and contents of all files", async () => {
  const path = await openFolder({ "a.mjs": "1", "b.mjs": "2" });
  const before = await digestCode([{ name: "engine", path }]);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(await digestCode([{ name: "engine", path }])).toBe(before);
  await writeFile(join(path, "b.mjs"), "3");
  expect(await digestCode([{ name: "engine", path }])).not.toBe(before);
});

test("code of more than 256 MiB has no digest", async () => {
  const path = await openFolder({ "a.mjs": "1", "large.bin": "" });
  // Sparse file whose size exceeds the limit, so it is not read.
  await truncate(join(path, "large.bin"), 256 * 1024 * 1024);
  expect(await digestCode([{ name: "engine", path }])).toBeUndefined();
});
