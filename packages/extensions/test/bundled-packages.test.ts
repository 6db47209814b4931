import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPackage } from "@switchyard/extensions";
import { expect, onTestFinished, test } from "vitest";

const MANIFEST = {
  name: "switchyard-adapter-acme",
  dependencies: { "@switchyard/kit": "SWITCHYARD_VERSION", other: "^1.0.0" },
  devDependencies: { "@switchyard/testkit": "SWITCHYARD_VERSION" },
};

const INDEX = {
  "@switchyard/kit": { file: "kit.tgz", dependencies: ["@switchyard/base"] },
  "@switchyard/base": { file: "base.tgz", dependencies: ["@switchyard/core"] },
  "@switchyard/core": { file: "core.tgz", dependencies: [] },
  "@switchyard/testkit": { file: "testkit.tgz", dependencies: ["@switchyard/core"] },
  "@switchyard/unused": { file: "unused.tgz", dependencies: [] },
};

async function makeFolders(): Promise<{ template: string; bundledPackages: string; target: string }> {
  const folder = await mkdtemp(join(tmpdir(), "bundled-packages-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [template, bundledPackages] = [join(folder, "template"), join(folder, "packages")];
  await Promise.all([mkdir(template), mkdir(bundledPackages)]);
  await writeFile(join(template, "_package.json"), JSON.stringify(MANIFEST));
  await writeFile(join(template, "README.md"), "acme");
  await writeFile(join(bundledPackages, "index.json"), JSON.stringify(INDEX));
  for (const { file } of Object.values(INDEX)) await writeFile(join(bundledPackages, file), `content of ${file}`);
  return { template, bundledPackages, target: join(folder, "made") };
}

test("a new package contains the bundled packages that it needs, directly and indirectly, and no others", async () => {
  const { template, bundledPackages, target } = await makeFolders();
  const files = await createPackage({ template, target, name: "big-dipper", version: "0.1.0", bundledPackages });
  const vendored = ["base", "core", "kit", "testkit"].map((name) => `vendor/${name}.tgz`);
  expect(files).toEqual(["README.md", "package.json", ...vendored]);
  for (const file of vendored) {
    expect(await readFile(join(target, file), "utf8")).toBe(`content of ${file.slice("vendor/".length)}`);
  }
  expect(JSON.parse(await readFile(join(target, "package.json"), "utf8"))).toEqual({
    name: "switchyard-adapter-big-dipper",
    dependencies: { "@switchyard/kit": "file:vendor/kit.tgz", other: "^1.0.0" },
    devDependencies: { "@switchyard/testkit": "file:vendor/testkit.tgz" },
    overrides: { "@switchyard/base": "file:vendor/base.tgz", "@switchyard/core": "file:vendor/core.tgz" },
  });
});

test("without bundled packages, a new package depends on published versions", async () => {
  const { template, target } = await makeFolders();
  const files = await createPackage({ template, target, name: "acme", version: "0.1.0" });
  expect(files).toEqual(["README.md", "package.json"]);
  const { dependencies } = JSON.parse(await readFile(join(target, "package.json"), "utf8"));
  expect(dependencies).toEqual({ "@switchyard/kit": "^0.1.0", other: "^1.0.0" });
});

test("a missing tarball is reported, not skipped", async () => {
  const { template, bundledPackages, target } = await makeFolders();
  await writeFile(
    join(bundledPackages, "index.json"),
    JSON.stringify({ ...INDEX, "@switchyard/core": { file: "absent.tgz", dependencies: [] } }),
  );
  await expect(
    createPackage({ template, target, name: "acme", version: "0.1.0", bundledPackages }),
  ).rejects.toMatchObject({ code: "output.unwritable" });
});
