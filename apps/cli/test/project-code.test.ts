import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { BIN, makeFolder, switchyardProcess } from "./start-switchyard.ts";

const KIT = pathToFileURL(join(BIN, "../../node_modules/@switchyard/adapter-kit/dist/index.js")).href;
const SAMPLES = resolve(import.meta.dirname, "../../../fixtures/runtimes");

/** Adapter whose command fails in the first attempt. Its texts come from a local file and a dependency. */
const ADAPTER = `
import { defineAdapter, forkPerTurnAdapter } from "${KIT}";
import { first } from "./lib/first.js";
import { second } from "acme-words";
export const adapter = defineAdapter({
  kind: "acme",
  defaultCommand: "acme",
  credentials: [],
  capabilities: { usage: "none", resume: "none", permissions: "none are asked for", mcp: false },
  checkup: { install: "npm install acme", checkAuthentication: async () => ({ state: "yes" }), login: "run acme login" },
  readConfig: () => undefined,
  create: (settings) => forkPerTurnAdapter(settings, {
    start: () => undefined,
    buildTurn: () => ({ args: [first, second] }),
    parseLine: (line, turn) => turn.text(line),
  }),
});
`;

const ACME = `#!/bin/sh
[ -f change ] && sh ./change
if [ -f break ]; then rm break; exit 3; fi
echo "Acme says $1 $2"
`;

interface BrokenRun {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly state: readonly string[];
  readonly runId: string;
}

async function startBroken(words: readonly string[], place: Pick<BrokenRun, "cwd" | "env">): Promise<BrokenRun> {
  const state = ["--state", await makeFolder(), "--json"];
  const run = await switchyardProcess(["run", "--trust-workspace", ...words, ...state, "Hello."], place);
  expect(run.exitCode).toBe(3);
  const { runId }: { runId: string } = JSON.parse(run.stdout);
  return { ...place, state, runId };
}

async function makeProject(files: Readonly<Record<string, string>> = {}): Promise<Pick<BrokenRun, "cwd" | "env">> {
  const cwd = await makeFolder({ "package.json": "{}", break: "", ...files });
  const packages = {
    "switchyard-adapter-acme": { "index.js": ADAPTER, "lib/first.js": 'export const first = "one";' },
    "acme-words": { "index.js": 'export const second = "two";' },
  };
  for (const [name, content] of Object.entries(packages)) {
    const folder = join(cwd, "node_modules", name);
    const dependencies = name === "acme-words" ? {} : { "acme-words": "1" };
    await mkdir(join(folder, "lib"), { recursive: true });
    const manifest = JSON.stringify({ name, type: "module", exports: "./index.js", dependencies });
    await writeFile(join(folder, "package.json"), manifest);
    for (const [path, text] of Object.entries(content)) await writeFile(join(folder, path), text);
  }
  const bin = await makeFolder({ acme: ACME });
  await chmod(join(bin, "acme"), 0o755);
  return { cwd, env: { PATH: `${bin}${delimiter}${process.env["PATH"]}` } };
}

const resume = ({ runId, state, cwd, env }: BrokenRun, ...more: readonly string[]) =>
  switchyardProcess(["resume", runId, ...state, ...more], { cwd, env });

test.each([
  ["a file of the adapter's package", "switchyard-adapter-acme/lib/first.js", 'export const first = "stolen";'],
  ["a package that it depends on", "acme-words/index.js", 'export const second = "stolen";'],
  ["its manifest", "switchyard-adapter-acme/package.json", '{"type":"module","exports":"./lib/first.js"}'],
])("after a change of %s, a run is resumed only where the workspace is trusted again", async (_, path, text) => {
  const run = await startBroken(["--engine", "acme"], await makeProject());
  const file = join(run.cwd, "node_modules", path);
  const before = await readFile(file);
  await writeFile(file, text);
  const refused = await resume(run);
  expect(refused.exitCode).toBe(2);
  expect(refused.stdout + refused.stderr).toContain(
    "The engine acme is the package switchyard-adapter-acme of the workspace, and its content has changed",
  );
  expect(refused.stdout + refused.stderr).toContain("--trust-workspace");
  if (path.endsWith(".js")) {
    const trusted = await resume(run, "--trust-workspace");
    expect([trusted.exitCode, trusted.stdout]).toEqual([0, expect.stringContaining("stolen")]);
    return;
  }
  await writeFile(file, before);
  expect(await resume(run)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Acme says one two") });
});

test("a resume with --trust-workspace trusts the content from then on, and no other", async () => {
  const run = await startBroken(["--engine", "acme"], await makeProject());
  const file = join(run.cwd, "node_modules/switchyard-adapter-acme/lib/first.js");
  await writeFile(file, 'export const first = "fixed";');
  expect((await resume(run)).exitCode).toBe(2);
  await writeFile(join(run.cwd, "break"), "");
  expect((await resume(run, "--trust-workspace")).exitCode).toBe(3);
  await writeFile(join(run.cwd, "break"), "");
  expect((await resume(run)).exitCode).toBe(3);
  await writeFile(file, 'export const first = "stolen";');
  expect(await resume(run)).toMatchObject({ exitCode: 2 });
  await writeFile(file, 'export const first = "fixed";');
  expect(await resume(run)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Acme says fixed two") });
});

test("a command of a runtime package that changed since the run began is not executed on resume", async () => {
  const cwd = await makeFolder();
  await cp(join(SAMPLES, "minimal"), join(cwd, "agent-runtimes/minimal"), { recursive: true });
  const script = join(cwd, "agent-runtimes/minimal/execute-task.mjs");
  const works = await readFile(script);
  await writeFile(script, "process.exit(7);");
  const run = await startBroken(["--engine", "runtime:minimal"], { cwd, env: { HOME: await makeFolder() } });
  await writeFile(script, works);
  const refused = await resume(run);
  expect([refused.exitCode, refused.stdout + refused.stderr]).toEqual([2, expect.stringContaining("has changed")]);
  expect(refused.stdout + refused.stderr).toContain("runtime:minimal is the package agent-runtimes/minimal");
  // The engine saves no checkpoints, so the resume fails for that reason, and not because the package has changed.
  expect((await resume(run, "--trust-workspace")).stdout).not.toContain("has changed");
});

test("an agent that changes its own package is not tried again", async () => {
  const change = "echo 'export const first = 1' > node_modules/switchyard-adapter-acme/lib/first.js";
  const { cwd, env } = await makeProject({ change });
  const words = [
    "run",
    "--trust-workspace",
    "--engine",
    "acme",
    "--max-attempts",
    "2",
    "--max-retry-wait",
    "1",
    "--state",
    "state",
    "Hello.",
  ];
  const run = await switchyardProcess(words, { cwd, env });
  expect(run.stdout + run.stderr).toContain("its content has changed since the run started");
  expect(run.stdout).not.toContain("Acme says");
});
