import { cp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { makeFolder, startSwitchyard, switchyardProcess } from "./start-switchyard.ts";

const PACKAGE = resolve(import.meta.dirname, "..");

/** Runs the demo with its own temporary folder, which is removed after the test. */
async function runDemo(
  options: Parameters<typeof switchyardProcess>[1] = {},
): Promise<Awaited<ReturnType<typeof switchyardProcess>> & { project: string }> {
  const env = { TMPDIR: await makeFolder(), ...options.env };
  const demo = await switchyardProcess(["demo"], { ...options, env });
  return { ...demo, project: /^Project: (.+)$/m.exec(demo.stdout)?.[1] ?? "" };
}

/** Creates a copy of the built command in which one shipped file is changed. */
async function changedCommand(file: string, change: (text: string) => string): Promise<string> {
  const folder = await makeFolder();
  await cp(join(PACKAGE, "dist"), join(folder, "dist"), { recursive: true });
  await cp(join(PACKAGE, "package.json"), join(folder, "package.json"));
  await symlink(join(PACKAGE, "node_modules"), join(folder, "node_modules"));
  const path = join(folder, "dist/demo", file);
  const before = await readFile(path, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  await writeFile(path, after);
  return join(folder, "dist/bin.cjs");
}

test("the demo fixes the project, says that the model is a recording, and proves the fix", async () => {
  const { exitCode, stdout, stderr, project } = await runDemo();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain("The model is a handwritten recording, so no real model is called.");
  expect(stdout).toContain("npm run demo -- --live");
  for (const call of [
    "→ shell node --test",
    "→ grep roundToCents",
    "→ read_file src/money.js",
    "→ edit_file src/money.js",
  ]) {
    expect(stdout).toContain(call);
  }
  expect(stdout).toContain("expected 849, got 850");
  expect(stdout).toMatch(/Run folder: .*\/runs\/\w+/);
  expect(stdout).toContain('"exit_code": 0');
  expect(stdout).toMatch(/Result: the project's tests pass\..*6 passed, 0 failed/s);
  const { stdout: diff } = await execa("git", ["diff"], { cwd: project });
  expect(diff).toContain("-  return Math.floor(amount);\n+  return Math.round(amount);");
  expect(stdout).toContain(diff);
  await execa("node", ["--test"], { cwd: project });
});

test("a repository that variables name, as in a hook, stays as it is", async () => {
  const cwd = await makeFolder({ "own.txt": "of the user\n" });
  await execa("git", ["init", "--quiet"], { cwd });
  const env = { GIT_DIR: join(cwd, ".git"), GIT_INDEX_FILE: join(cwd, ".git/index") };
  const { exitCode, stderr } = await runDemo({ cwd, env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect((await execa("git", ["log", "--all"], { cwd })).stdout).toBe("");
  const name = await execa("git", ["config", "--local", "user.name"], { cwd, reject: false });
  expect(name.stdout).toBe("");
});

test("the user's own git settings and runner options do not matter", async () => {
  const home = await makeFolder({
    ".gitconfig":
      "[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = /bin/false\n[init]\n\tdefaultBranch = other\n[core]\n\thooksPath = /nowhere\n\tautocrlf = true\n",
  });
  const env = { HOME: home, NODE_TEST_CONTEXT: "child-v8", FORCE_COLOR: "1", NODE_OPTIONS: "--no-warnings" };
  expect(await runDemo({ env })).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a tool result that differs from the recording stops the demo with the first difference", async () => {
  const bin = await changedCommand("project/src/discount.js", (text) =>
    text.replace("{ roundToCents }", "{roundToCents}"),
  );
  const { exitCode, stdout, stderr } = await runDemo({ bin });
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(
    /^error: Model call 3 does not match the recording: messages\[\d\]\.parts\[0\]\.content should be .*\nhint: .*$/,
  );
  expect(stderr).toContain("{roundToCents}");
  expect(stdout).not.toContain("Checked:");
});

test.each<[string, string, (text: string) => string]>([
  [
    "a tool's description",
    "Model call 1 does not match the recording: tools[0]",
    (text) => text.replace("Read a file from", "Read one file from"),
  ],
  [
    "the model",
    "Model call 1 does not match the recording: ",
    (text) => text.replace('"model":"handwritten', '"model":"another'),
  ],
])("a recording with another text for %s is not the run", async (_, sentence, change) => {
  const bin = await changedCommand("recording.jsonl", (text) => {
    const [header = "", ...calls] = text.split("\n");
    return [header, ...calls.map(change)].join("\n");
  });
  const { exitCode, stderr } = await runDemo({ bin });
  expect(exitCode).toBe(3);
  expect(stderr).toContain(sentence);
});

test("a recorded call that is never made is a failure", async () => {
  const bin = await changedCommand("recording.jsonl", (text) => `${text}${text.trimEnd().split("\n").at(-1)}\n`);
  const { exitCode, stderr } = await runDemo({ bin });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 3,
    stderr: expect.stringContaining("error: 1 recorded model calls were never made."),
  });
});

test("a live demo with an unknown model creates no project", async () => {
  const temporary = await makeFolder();
  const env = { ANTHROPIC_API_KEY: "test-key-that-is-not-real", TMPDIR: temporary };
  const { exitCode, stdout } = await switchyardProcess(["demo", "--live", "--model", "nobody/x"], { env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(await readdir(temporary)).toEqual([]);
});

test("a live demo without a key lists the possible keys", async () => {
  const { exitCode, stdout, stderr } = await switchyardProcess(["demo", "--live"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  for (const name of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"]) expect(stderr).toContain(name);
});

test("Ctrl-C ends the demo: exit code 130, no stack trace", async () => {
  const { command } = await startSwitchyard(["demo"], { env: { TMPDIR: await makeFolder() } });
  command.stdout?.on("data", (chunk) => {
    if (String(chunk).includes("I start with the tests")) command.kill("SIGINT");
  });
  const { exitCode, stderr } = await command;
  expect(exitCode).toBe(130);
  expect(stderr).toMatch(/^error: The run was interrupted\.\nhint: .*$/);
});
