import { existsSync } from "node:fs";
import { link, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleFromSource, loadFromSource } from "@switchyard/suite/load-from-source";
import { expect, onTestFinished, test } from "vitest";

/** A package with one module. */
async function newPackage(): Promise<{ readonly root: URL; readonly module: URL; readonly cache: string }> {
  const folder = await mkdtemp(join(tmpdir(), "bundled-package-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const module = join(folder, "answer.ts");
  await writeFile(module, "export const answer: number = 42;\n");
  const cache = join(folder, "node_modules/.cache/from-source");
  return { root: pathToFileURL(`${folder}/`), module: pathToFileURL(module), cache };
}

test("a link to a source does not outdate its bundle", async () => {
  const { root, module, cache } = await newPackage();
  const first = await bundleFromSource(module, root);
  await link(module, join(cache, "link"));
  expect(await bundleFromSource(module, root)).toBe(first);
  await expect(loadFromSource(module, root)).resolves.toMatchObject({ answer: 42 });
});

test("bundles of earlier sources remain until they are old, for processes that are about to load them", async () => {
  const { root, module, cache } = await newPackage();
  const first = await bundleFromSource(module, root);
  await writeFile(module, "export const answer: number = 1042;\n");
  const second = await bundleFromSource(module, root);
  expect([existsSync(first), existsSync(second)]).toEqual([true, true]);
  const yesterday = Date.now() / 1000 - 86_400;
  await utimes(dirname(first), yesterday, yesterday);
  await mkdir(join(cache, "of-another-module"));
  await writeFile(module, "export const answer: number = 10042;\n");
  const third = await bundleFromSource(module, root);
  expect([existsSync(first), existsSync(second), existsSync(third)]).toEqual([false, true, true]);
  expect(await readdir(cache)).toContain("of-another-module");
});
