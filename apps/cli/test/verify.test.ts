import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { makeFolder, switchyardProcess } from "./start-switchyard.ts";

const ENGINE = pathToFileURL(resolve(import.meta.dirname, "../../../packages/engine/dist/index.js")).href;

const RIGHT = `
import { createBoard, defineEngine } from "${ENGINE}";
const say = defineEngine(async (run, host, board) => board.setVar("said", "hello"));
export const contracts = { engine: () => say, board: createBoard };
`;

/** Engine that violates the contract: it returns a different board. */
const WRONG = `
import { createBoard, defineEngine } from "${ENGINE}";
const right = defineEngine();
const execute = async (...given) => { await right.execute(...given); return createBoard(); };
export const contracts = { engine: () => ({ ...right, execute }) };
`;

/** Installs packages in `node_modules`. */
async function install(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, "node_modules", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

test("an engine in a file is verified, case by case", async () => {
  const cwd = await makeFolder({ "engine.mjs": RIGHT });
  const { exitCode, stdout, stderr } = await switchyardProcess(["verify", "./engine.mjs"], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^ {2}passed {2}engine\/same-board +engine-engine-1, engine-engine-2$/m);
  expect(stdout).toMatch(/^ {2}skipped engine\/interrupt-wakes .*\n +the subject has no waiting run$/m);
  expect(stdout).toMatch(
    /^engine: \d+ cases, \d+ passed, 0 failed, \d+ skipped\.\nboard: \d+ cases, \d+ passed, 0 failed, 0 skipped\.$/m,
  );
});

test("a broken promise is named with its requirement and the finding, and ends with exit code 1", async () => {
  const cwd = await makeFolder({ "engine.mjs": WRONG });
  const { exitCode, stdout, stderr } = await switchyardProcess(["verify", "engine.mjs"], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  expect(stdout).toContain(
    "Resolves a completed run with the same board object that it was given\n          The run resolved with a board other than",
  );
  expect(stdout).not.toContain("    at ");
  const debugged = await switchyardProcess(["verify", "engine.mjs", "--debug"], { cwd });
  expect(debugged.stderr).toMatch(/AssertionError[\s\S]*\n {4}at /);
});

test("the findings are one JSON object on request", async () => {
  const cwd = await makeFolder({ "engine.mjs": WRONG });
  const { exitCode, stdout } = await switchyardProcess(["verify", "engine.mjs", "--json", "--kit", "engine"], { cwd });
  const findings: unknown = JSON.parse(stdout);
  expect(exitCode).toBe(1);
  expect(findings).toMatchObject({
    target: "engine.mjs",
    contracts: [
      {
        name: "engine",
        results: expect.arrayContaining([
          expect.objectContaining({ id: "engine/same-board", status: "failed", requirement: expect.any(Array) }),
          expect.objectContaining({ id: "engine/start-once", status: "passed", duration_ms: expect.any(Number) }),
        ]),
      },
    ],
  });
});

test("only the contracts that were asked for are run", async () => {
  const cwd = await makeFolder({ "engine.mjs": RIGHT });
  const { exitCode, stdout } = await switchyardProcess(["verify", "engine.mjs", "--kit", "board"], { cwd });
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain("engine/");
  const { exitCode: refused, stderr } = await switchyardProcess(["verify", "engine.mjs", "--kit", "host"], { cwd });
  expect(refused).toBe(2);
  expect(stderr).toContain("engine.mjs has no factory for host; it has engine, board.");
  expect((await switchyardProcess(["verify", "engine.mjs", "--kit", "horse"], { cwd })).stderr).toContain("runStore");
});

test("an installed package is found by its exports, by its main file, and from a folder below", async () => {
  const cwd = await makeFolder();
  const manifest = (fields: object): string => JSON.stringify({ name: "x", ...fields });
  await install(cwd, {
    "modern/package.json": manifest({ type: "module", exports: { ".": { types: "./x.d.ts", import: "./lib/x.js" } } }),
    "modern/lib/x.js": RIGHT,
    "@scope/parts/package.json": manifest({
      type: "module",
      exports: { "./contracts": { default: "./contracts.js" } },
    }),
    "@scope/parts/contracts.js": RIGHT,
    "old/package.json": manifest({ main: "lib/index" }),
    "old/lib/index.js": `module.exports = { contracts: { board: async (s) => (await import("${ENGINE}")).createBoard(s) } };`,
  });
  const below = join(cwd, "a/b");
  await mkdir(below, { recursive: true });
  for (const target of ["modern", "@scope/parts/contracts", "old"]) {
    const { exitCode, stdout, stderr } = await switchyardProcess(["verify", target, "--kit", "board"], { cwd: below });
    expect({ target, exitCode, stderr }).toEqual({ target, exitCode: 0, stderr: "" });
    expect(stdout).toContain("0 failed");
  }
});

test("an engine that hangs fails its cases and does not hang the command", async () => {
  const hanging = "export const contracts = { engine: () => ({ execute: () => new Promise(() => {}) }) };";
  const cwd = await makeFolder({ "engine.mjs": hanging });
  const { exitCode, stdout } = await switchyardProcess(["verify", "engine.mjs", "--timeout", "0.02"], { cwd });
  expect(exitCode).toBe(1);
  expect(stdout).toContain("The case did not end within 20 ms.");
});

test("if there is nothing to verify, the output says so and the exit code is 2", async () => {
  const cwd = await makeFolder({
    "none.mjs": "export const engine = {};",
    "empty.mjs": "export const contracts = {};",
    "typo.mjs": "export const contracts = { engines: () => {} };",
    "value.mjs": "export const contracts = { engine: {} };",
    "broken.mjs": "throw new Error('no start')",
  });
  const cases = {
    "./missing.mjs": /No file or package \.\/missing\.mjs was found/,
    "no-such-package": /no-such-package/,
    "../": /No file or package/,
    "./none.mjs": /it exports no `contracts`/,
    "./empty.mjs": /object is empty/,
    "./typo.mjs": /a factory for engines, which is not a contract/,
    "./value.mjs": /its engine is not a factory/,
    "./broken.mjs": /cannot be loaded: no start/,
  };
  for (const [target, message] of Object.entries(cases)) {
    const { exitCode, stdout, stderr } = await switchyardProcess(["verify", target], { cwd });
    expect({ target, exitCode, stdout }).toEqual({ target, exitCode: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
  }
});

test("the help says that the given code is executed", async () => {
  const { exitCode, stdout } = await switchyardProcess(["verify", "--help"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("The module's code runs in this process");
});
