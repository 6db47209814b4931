import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { afterEach, expect, test } from "vitest";
import { createAdapterCatalog, createPackage, discoverAdapters, findModule } from "../src/index.ts";

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

const isAdapter = (value: unknown): value is { kind: string } =>
  typeof value === "object" && value !== null && "kind" in value;

/** Creates a project with packages. Each value is the text of a package's `index.js`. */
async function makeProject(packages: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "extensions-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(packages)) {
    const home = join(folder, "node_modules", name);
    await mkdir(home, { recursive: true });
    await writeFile(join(home, "package.json"), JSON.stringify({ name, type: "module", exports: "./index.js" }));
    await writeFile(join(home, "index.js"), text);
  }
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ devDependencies: { "switchyard-adapter-absent": "1" } }),
  );
  return folder;
}

async function catalogOf(folder: string, beforeImport?: () => Promise<void>) {
  await using environment = await openLocalEnvironment({ root: folder });
  return createAdapterCatalog({
    ...{ bundledKinds: ["acme"], loadBundled: async (kind: string) => ({ kind }), isAdapter, beforeImport },
    project: { folder, found: await discoverAdapters(environment) },
    importModule: (path) => import(pathToFileURL(path).href),
  });
}

test("packages of a project are adapters by their names, and are loaded when they are selected", async () => {
  const folder = await makeProject({
    "switchyard-adapter-one": `export const one = { kind: "one" };`,
    "@acme/switchyard-adapter-two": `throw new Error("it is broken");`,
    "switchyard-adapter-acme": `throw new Error("a bundled adapter cannot be replaced");`,
    other: "",
  });
  const catalog = await catalogOf(folder);
  expect(catalog.kinds).toEqual(["acme", "absent", "one", "two"]);
  expect(await catalog.load("one")).toEqual({ kind: "one" });
  expect(await catalog.load("acme")).toEqual({ kind: "acme" });
  await expect(catalog.load("two")).rejects.toMatchObject({
    code: "adapter.load_failed",
    details: { problem: "it is broken" },
  });
  await expect(catalog.load("absent")).rejects.toMatchObject({ details: { problem: "it is not installed" } });
  await expect(catalog.load("other")).rejects.toMatchObject({ code: "adapter.kind_unknown" });
});

test("an adapter that is refused before its import is not imported", async () => {
  const folder = await makeProject({ "switchyard-adapter-one": `throw new Error("it was imported");` });
  const catalog = await catalogOf(folder, () => Promise.reject(new Error("its code has changed")));
  await expect(catalog.load("one")).rejects.toThrow("its code has changed");
});

test("two packages of one name, and a package without the adapter of its name, are refused", async () => {
  const folder = await makeProject({
    "switchyard-adapter-one": `export const one = { kind: "one" };`,
    "@acme/switchyard-adapter-one": `export const one = { kind: "one" };`,
    "switchyard-adapter-three": `export const four = { kind: "four" };`,
  });
  const catalog = await catalogOf(folder);
  await expect(catalog.load("one")).rejects.toThrow("are both named one");
  await expect(catalog.load("three")).rejects.toThrow("it exports no adapter of kind three");
});

test("a module is found by its path, or by the exports of its package", async () => {
  const folder = await makeProject({ "switchyard-adapter-one": "" });
  const path = join(folder, "node_modules/switchyard-adapter-one/index.js");
  expect(await findModule("switchyard-adapter-one", folder)).toBe(path);
  expect(await findModule("./package.json", folder)).toBe(join(folder, "package.json"));
  await expect(findModule("nobody-has-this", folder)).rejects.toMatchObject({ code: "verify.not_found" });
});

test("a new package has the files of its template under its own name, and never overwrites a file", async () => {
  const template = await makeProject({});
  await writeFile(
    join(template, "_package.json"),
    `{ "name": "acme", "class": "Acme", "version": "SWITCHYARD_VERSION" }`,
  );
  await writeFile(join(template, "_gitignore"), "ACME_KEY");
  await rm(join(template, "package.json"));
  const target = join(template, "made");
  const options = { template, target, name: "my-tool", version: "1.2.3" };
  expect(await createPackage(options)).toEqual([".gitignore", "package.json"]);
  expect(await readFile(join(target, ".gitignore"), "utf8")).toBe("MY_TOOL_KEY");
  expect(JSON.parse(await readFile(join(target, "package.json"), "utf8"))).toEqual({
    ...{ name: "my-tool", class: "MyTool", version: "^1.2.3" },
  });
  await expect(createPackage({ ...options, template: join(template, "absent") })).rejects.toThrow();
  await rm(join(target, ".gitignore"));
  await expect(createPackage({ ...options, target })).rejects.toMatchObject({ code: "output.unwritable" });
});
