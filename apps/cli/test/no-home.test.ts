import { chmod, chown } from "node:fs/promises";
import { join } from "node:path";
import { sandboxReadiness } from "@switchyard/environment/local";
import { execa } from "execa";
import { beforeEach, expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { KEY } from "./run-in-repository.ts";
import { makeFolder } from "./start-switchyard.ts";

const COMMAND = join(import.meta.dirname, "../dist/bin.cjs");
/** User without an entry in `/etc/passwd`. */
const STRANGER = { uid: 54_321, gid: 54_321 };

/**
 * Creates a workspace and a state folder that belong to the stranger. Returns a function that runs commands in the
 * workspace as the stranger, the state folder, and options that select a model with two answers.
 */
async function becomeStranger(variables: Readonly<Record<string, string>> = {}) {
  const [cwd, state] = [await makeFolder({ "a.txt": "one\n" }), await makeFolder()];
  for (const folder of [cwd, state]) {
    await chown(folder, STRANGER.uid, STRANGER.gid);
    await chmod(folder, 0o755);
  }
  const { baseUrl } = await startMockModel("anthropic", ["First.", "Second."]);
  const enter = (...words: readonly string[]) =>
    execa(process.execPath, [COMMAND, ...words], {
      ...STRANGER,
      cwd,
      env: { PATH: process.env["PATH"], ...KEY, ...variables },
      extendEnv: false,
      reject: false,
      stdin: "ignore",
    });
  const model = ["--model", "anthropic/m", "--base-url", baseUrl];
  return { enter, model, state };
}

beforeEach(({ skip }) => {
  skip(process.getuid?.() !== 0, "only root can start a process as another user");
});

test("a user without a home folder and without an entry has a sandbox by default", async ({ skip }) => {
  const { missing } = await sandboxReadiness({ ...process.env });
  skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
  const { enter, model, state } = await becomeStranger();
  const run = await enter("run", ...model, "--state", state, "--json", "go");
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("First.") });
  expect(JSON.parse(run.stdout)).toMatchObject({ environment: "sandbox" });
});

test("a user without a home folder and without an entry runs every command that is given a state folder", async () => {
  const { enter, model, state } = await becomeStranger({ SWITCHYARD_ENV: "local" });
  const run = ["run", ...model, "--state", state];
  expect(await enter(...run, "go")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("First.") });
  expect(await enter(...run, "--continue", "on")).toMatchObject({ exitCode: 0 });
  for (const words of [
    ["runs", "list", "--state", state],
    ["config"],
    ["doctor"],
    ["engines", "list"],
    ["engines", "doctor"],
    ["runtimes", "list"],
    ["tools", "list", "--profile", "anthropic"],
    ["tools", "call", "--profile", "anthropic", "read_file", "--args", '{"file_path":"a.txt"}'],
    ["validate", "--help"],
  ]) {
    const { exitCode, stderr } = await enter(...words);
    expect([words, exitCode === 2 || exitCode === 3 ? stderr : "", stderr.includes("HOME")]).toEqual([
      words,
      "",
      false,
    ]);
  }
  const refused = await enter("run", ...model, "go");
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("HOME") });
});
