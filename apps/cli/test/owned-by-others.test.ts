import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { KEY, makeRepository, WRITES } from "./run-in-repository.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

test("a repository of another user is used if the user's own variables declare it safe", async ({ skip }) => {
  if (process.getuid?.() !== 0) skip("only root can change the owner of a file");
  const { cwd } = await makeRepository();
  await execa("chown", ["-R", "54321:54321", cwd]);
  const settings = join(await makeFolder(), "gitconfig");
  await writeFile(settings, `[safe]\n\tdirectory = ${cwd}\n`);
  const home = await makeFolder();
  const run = async (env: Readonly<Record<string, string>>, ...more: string[]) => {
    const { baseUrl, mock } = await startMockModel("anthropic", [WRITES, "Done."]);
    const words = [
      "run",
      "--model",
      "anthropic/m",
      "--base-url",
      baseUrl,
      "--state",
      await makeFolder(),
      ...more,
      "go",
    ];
    const ended = await switchyard(words, { cwd, env: { ...KEY, HOME: home, ...env } });
    return { ...ended, prompt: JSON.stringify(mock.getRequests()[0]?.body ?? "") };
  };
  const refused = await run({}, "--worktree");
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("dubious ownership") });
  const variables = [
    { GIT_CONFIG_GLOBAL: settings },
    { GIT_CONFIG_SYSTEM: settings },
    { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: cwd },
  ];
  for (const env of variables) {
    const { exitCode, stderr, prompt } = await run(env, "--worktree");
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining("dubious")]);
    expect(prompt).toContain("Git branch: ");
    const inPlace = await run(env, "--json");
    expect([inPlace.exitCode, inPlace.stderr]).toEqual([0, expect.not.stringContaining("dubious")]);
    expect(JSON.parse(inPlace.stdout).workspaceDiff).toContain("+2\n");
    await execa("git", ["-C", cwd, "-c", `safe.directory=${cwd}`, "checkout", "--quiet", "."]);
    await execa("chown", ["-R", "54321:54321", cwd]);
  }
  // Settings in the folder itself must not make it trusted.
  await writeFile(join(cwd, ".envrc"), `export GIT_CONFIG_GLOBAL=${settings}\n`);
  await execa("git", ["-C", cwd, "-c", `safe.directory=${cwd}`, "config", "safe.directory", "*"]);
  expect(await run({}, "--worktree")).toMatchObject({ exitCode: 2 });
  expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
});

test("a state folder that others can write to is refused before anything is created in it", async ({ skip }) => {
  if (process.getuid?.() !== 0) skip("only root can change the owner of a file");
  const state = await makeFolder();
  await execa("chown", ["54321:54321", state]);
  await execa("chmod", ["0777", state]);
  const words = ["run", "--model", "anthropic/m", "--base-url", "http://127.0.0.1:9", "--state", state, "go"];
  const refused = await switchyard(words, { cwd: await makeFolder(), env: KEY });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("is not safe to use") });
  expect(await readdir(state)).toEqual([]);
});
