import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, switchyardProcess } from "./start-switchyard.ts";

// The tests of created packages are run against published packages by check:new-packages.
test("a new adapter is a package with tests, a fake agent and a CI file, with its name in all of them [adapter-testing-6]", async () => {
  const cwd = await makeFolder();
  const made = await switchyardProcess(["init", "adapter", "big-dipper", "--json"], { cwd });
  expect(made).toMatchObject({ exitCode: 0, stderr: "" });
  const folder = join(cwd, "switchyard-adapter-big-dipper");
  const told: { files: string[]; next: string } = JSON.parse(made.stdout);
  expect(told).toMatchObject({
    ...{ package: "switchyard-adapter-big-dipper", folder },
    next: "cd switchyard-adapter-big-dipper && npm install && npm test",
  });
  expect(told.files).toEqual(
    expect.arrayContaining([".github/workflows/test.yml", ".gitignore", "src/index.ts", "test/adapter.test.mjs"]),
  );
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  expect(manifest.dependencies["@switchyard/adapter-kit"]).toMatch(/^\^\d+\.\d+\.\d+$/u);
  for (const file of told.files) {
    const text = await readFile(join(folder, file), "utf8");
    expect(text).not.toMatch(/acme|SWITCHYARD_VERSION|TYPESCRIPT_VERSION/iu);
  }
  const source = await readFile(join(folder, "src/index.ts"), "utf8");
  for (const part of ['kind: "big-dipper"', "BIG_DIPPER_API_KEY", "BigDipperConfig"]) expect(source).toContain(part);
});

test("a new package may have the name of one of its own files, and loses none of them [adapter-testing-6]", async () => {
  const cwd = await makeFolder();
  const lists: string[][] = [];
  for (const name of ["acme", "contract", "integration", "adapter"]) {
    const made = await switchyardProcess(["init", "adapter", name, "--json"], { cwd });
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    const { files }: { files: string[] } = JSON.parse(made.stdout);
    expect(new Set(files).size).toBe(files.length);
    lists.push(files);
  }
  for (const files of lists) expect(files).toEqual(lists[0]);
});

test("a new engine goes into the named folder", async () => {
  const cwd = await makeFolder();
  await mkdir(join(cwd, "empty"));
  const made = await switchyardProcess(["init", "engine", "mine", "--folder", "empty"], { cwd });
  expect(made.stdout).toContain("Next: cd empty && npm install && npm test");
  expect(await readdir(join(cwd, "empty"))).toEqual(expect.arrayContaining(["package.json", "src", "test"]));
});

test("a folder that is not empty, an invalid name and a taken name are refused, and nothing is written", async () => {
  const cwd = await makeFolder();
  await mkdir(join(cwd, "full"));
  await writeFile(join(cwd, "full", "kept.txt"), "mine");
  const full = await switchyardProcess(["init", "adapter", "x", "--folder", "full"], { cwd });
  expect([full.exitCode, full.stderr]).toEqual([2, expect.stringContaining("is not empty")]);
  for (const name of ["Acme", "a--b", "../x", "a b", "-a", "9x", "x".repeat(61)]) {
    const refused = await switchyardProcess(["init", "adapter", "--", name], { cwd });
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/is not a valid name\. .* starting with a letter/u),
    ]);
  }
  // A built-in engine would be run instead of an adapter of the same name.
  for (const name of ["agent", "codex", "claude-code"]) {
    const refused = await switchyardProcess(["init", "adapter", name], { cwd });
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining("is the name of a built-in engine"),
    ]);
  }
  expect(await readdir(cwd)).toEqual(["full"]);
  expect(await readdir(join(cwd, "full"))).toEqual(["kept.txt"]);
});

test("without a subcommand, a commented settings file is written once, and is used after the folder is trusted", async () => {
  const cwd = await makeFolder();
  const env = { HOME: await makeFolder() };
  const made = await switchyardProcess(["init"], { cwd, env });
  expect(made).toMatchObject({ exitCode: 0, stderr: "" });
  const path = join(cwd, "switchyard.yaml");
  expect(made.stdout).toContain(`Wrote ${path}.`);
  expect(made.stdout).toContain("`switchyard trust`");
  const text = await readFile(path, "utf8");
  expect(text.split("\n").every((line) => line === "" || line.startsWith("#"))).toBe(true);
  await writeFile(path, text.replace("# timeout: 30m", "timeout: 30m"));
  const timeoutIn = async (): Promise<unknown> => {
    const { stdout } = await switchyardProcess(["config", "--json"], { cwd, env });
    return JSON.stringify(JSON.parse(stdout)).includes('"30m"');
  };
  expect(await timeoutIn()).toBe(false);
  expect((await switchyardProcess(["trust"], { cwd, env })).exitCode).toBe(0);
  expect(await timeoutIn()).toBe(true);
  const again = await switchyardProcess(["init"], { cwd, env });
  expect(again).toMatchObject({ exitCode: 2, stdout: "" });
  expect(again.stderr).toContain(`${path} already exists and is not overwritten.`);
  expect(await readFile(path, "utf8")).toContain("\ntimeout: 30m\n");
});

test("a link instead of the settings file is not followed, and an unknown kind of package is a usage error", async () => {
  const cwd = await makeFolder();
  await symlink(join(cwd, "elsewhere"), join(cwd, "switchyard.yaml"));
  expect((await switchyardProcess(["init"], { cwd })).exitCode).toBe(2);
  const unknown = await switchyardProcess(["init", "adaptor", "x"], { cwd });
  expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await readdir(cwd)).toEqual(["switchyard.yaml"]);
});

test("an unknown thing to create is refused, with what can be created", async () => {
  const cwd = await makeFolder();
  const { exitCode, stderr } = await switchyardProcess(["init", "foo"], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("`init` cannot create foo.");
  expect(stderr).toContain("`init adapter NAME` and `init engine NAME` create packages.");
  expect(await readdir(cwd)).toEqual([]);
});
