import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
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

test("a digest covers files outside the folder that its code imports, also indirectly", async () => {
  const path = await openFolder({
    "shared.mjs": 'export { x } from "./deep.mjs";',
    "deep.mjs": "export const x = 1;",
    "other.mjs": "1",
    "more.js": "1",
  });
  await mkdir(join(path, "engine"));
  await writeFile(join(path, "engine/a.mjs"), 'import { x } from "../shared.mjs";\nrequire("../more");\n');
  const roots = [{ name: "engine", path: join(path, "engine") }];
  const before = await digestCode(roots);
  await writeFile(join(path, "other.mjs"), "2");
  expect(await digestCode(roots)).toBe(before);
  for (const name of ["deep.mjs", "more.js"]) {
    const now = await digestCode(roots);
    await writeFile(join(path, name), "export const x = 2;");
    expect(await digestCode(roots)).not.toBe(now);
  }
});

test("code of more than 256 MiB has no digest", async () => {
  const path = await openFolder({ "a.mjs": "1", "large.bin": "" });
  // Sparse file whose size exceeds the limit, so it is not read.
  await truncate(join(path, "large.bin"), 256 * 1024 * 1024);
  expect(await digestCode([{ name: "engine", path }])).toBeUndefined();
});
