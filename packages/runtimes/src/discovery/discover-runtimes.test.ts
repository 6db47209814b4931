import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { afterEach, expect, test } from "vitest";
import { createRuntimeRegistry, discoverRuntimes, executeTask, loadRuntimePackage } from "../index.ts";

const FIXTURES = fileURLToPath(new URL("../../../../fixtures/runtimes/", import.meta.url));
const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function makeFolder(files: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-runtimes-")));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

function manifestOf(id: string, command = "acme") {
  const agent_task_executors = [{ id: `${id}.one`, backend: id, command }];
  return { schema: "homeboy/agent-runtime-manifest/v1", id, agent_task_executors };
}

test("packages are found in the project, in its dependencies, and in the user's folder [runtime-package-layout-1]", async () => {
  const project = await makeFolder({
    "package.json": { dependencies: { "@acme/agents": "1" }, devDependencies: { missing: "1", "../../etc": "1" } },
    "agent-runtimes/own/own.json": manifestOf("own"),
    "node_modules/@acme/agents/agent-runtimes/foreign/foreign.json": manifestOf("foreign"),
    "node_modules/stray/agent-runtimes/stray/stray.json": manifestOf("stray"),
  });
  const user = await makeFolder({ "agent-runtimes/mine/mine.json": manifestOf("mine") });
  const found = await discoverRuntimes({ project, user });
  expect(found.faults).toEqual([]);
  expect(found.packages.map(({ id, origin }) => [id, origin])).toEqual([
    ["own", "project"],
    ["foreign", "package"],
    ["mine", "user"],
  ]);
  expect((await discoverRuntimes({ user })).packages.map(({ id }) => id)).toEqual(["mine"]);
});

test("a folder that is not a package is reported and does not affect the others", async () => {
  const project = await makeFolder({
    "agent-runtimes/broken/broken.json": "{",
    "agent-runtimes/empty/README.md": "",
    "agent-runtimes/good/good.json": manifestOf("good"),
    "agent-runtimes/file.json": "{}",
  });
  const { packages, faults } = await discoverRuntimes({ project });
  expect(packages.map(({ id }) => id)).toEqual(["good"]);
  expect(faults.map(({ folder, problem }) => [folder.split("/").at(-1), problem])).toEqual([
    ["broken", expect.stringContaining("line 1, column 2")],
    ["empty", expect.stringContaining("contains no manifest empty.json")],
  ]);
});

test("a package linked from two folders is one package", async () => {
  const project = await makeFolder({ "agent-runtimes/acme/acme.json": manifestOf("acme") });
  const user = await makeFolder({ "agent-runtimes/README.md": "" });
  await symlink(join(project, "agent-runtimes/acme"), join(user, "agent-runtimes/acme"));
  const { packages } = await discoverRuntimes({ project, user });
  expect(packages.map(({ id, origin }) => [id, origin])).toEqual([["acme", "project"]]);
});

test("the folder's name overrides the manifest's id [runtime-package-layout-4]", async () => {
  const folder = await makeFolder({ "renamed/renamed.json": manifestOf("acme") });
  const found = await loadRuntimePackage(join(folder, "renamed"));
  expect([found.id, found.manifest.id]).toEqual(["renamed", "renamed"]);
  expect(found.document).toMatchObject({ id: "acme" });
  expect(found.warnings).toContain("id: the folder's name renamed stands in for acme");
  // Provider ids are prefixed with the name of the package's folder.
  const { agent_task_executors } = manifestOf("renamed");
  await writeFile(
    join(folder, "renamed/renamed.json"),
    JSON.stringify({ ...manifestOf("acme"), agent_task_executors }),
  );
  const { warnings } = await loadRuntimePackage(join(folder, "renamed"));
  expect(warnings).toEqual(["id: the folder's name renamed stands in for acme"]);
});

test("a manifest named after the runtime takes precedence [runtime-package-layout-5]", async () => {
  const folder = await makeFolder({
    "acme/aaa.json": manifestOf("other", "wrong"),
    "acme/acme.json": manifestOf("acme", "right"),
    "lone/package.json": { name: "lone" },
    "lone/runtime.json": manifestOf("lone"),
  });
  const { manifest } = await loadRuntimePackage(join(folder, "acme"));
  expect(manifest.agent_task_executors[0]?.command).toBe("right");
  expect((await loadRuntimePackage(join(folder, "lone"))).id).toBe("lone");
});

test("a package runs from a copied, a linked and a renamed folder [runtime-runtime-path-6, runtime-runtime-path-1, runtime-package-layout-2]", async () => {
  const base = await makeFolder();
  await cp(join(FIXTURES, "minimal"), join(base, "copied one"), { recursive: true });
  await symlink(join(FIXTURES, "minimal"), join(base, "linked"));
  for (const name of ["copied one", "linked"]) {
    const registry = createRuntimeRegistry([await loadRuntimePackage(join(base, name))]);
    const outcome = await executeTask(
      {
        ...{ schema: "homeboy/agent-task-request/v1", task_id: "t", instructions: "Hi." },
        ...{ executor: { backend: "minimal" }, workspace: { root: base } },
      },
      {
        selected: registry.select({ backend: "minimal", runtime: name }),
        openFolder: (root) => openLocalEnvironment({ root, env: process.env }),
      },
    );
    expect(outcome).toMatchObject({ status: "succeeded", summary: "You asked: Hi." });
  }
});
