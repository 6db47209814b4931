import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GIT_GUARD_VARIABLES } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { afterAll, expect, test, vi } from "vitest";
import { runGit } from "./run-git.ts";

const folder = await mkdtemp(join(tmpdir(), "run-git-"));
const environment = await openLocalEnvironment({ root: folder, env: process.env });
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test("git reads its standard input", async () => {
  const { exitCode, stdout } = await runGit(environment, ["hash-object", "--stdin"], { stdin: "text" });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "f3a34851d44d6b97c90fbb99dd3d18c261b9a237\n" });
});

test("additional variables cannot enable prompts or protocols", async () => {
  const exec = vi.spyOn(environment, "exec");
  const env = { GIT_TERMINAL_PROMPT: "1", GIT_ALLOW_PROTOCOL: "ext", GIT_ASKPASS: "/bin/true" };
  await runGit(environment, ["--version"], { env, protocols: ["https"] });
  const { set } = exec.mock.lastCall?.[1]?.env ?? {};
  expect(set).toEqual({ ...env, ...GIT_GUARD_VARIABLES, GIT_ALLOW_PROTOCOL: "none:https" });
});

test("git ends when the signal aborts", async () => {
  const stop = new AbortController();
  const running = runGit(environment, ["-c", "alias.wait=!sleep 600", "wait"], { signal: stop.signal });
  stop.abort();
  expect(await running).toMatchObject({ aborted: true });
});
