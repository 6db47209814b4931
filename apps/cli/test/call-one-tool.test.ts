import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { callOneTool } from "../src/tools/call-one-tool.ts";
import { createFakeContext } from "./fake-context.ts";

/** Calls the tool `shell` in a new workspace. */
async function callShell(command: string) {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), "call-")));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  const exits: number[] = [];
  const fake = createFakeContext({
    env: { PATH: process.env["PATH"] },
    workingDirectory: workspace,
    exit: (code) => {
      exits.push(code);
      throw new Error("the process ended");
    },
  });
  const args = JSON.stringify({ command });
  const exitCode = callOneTool(fake.context, { tool: "shell", profile: "anthropic", workspace, args });
  return { ...fake, exits, exitCode };
}

test("a tool's output is printed, and its failure is exit code 1", async () => {
  const fine = await callShell("echo fine");
  expect([await fine.exitCode, fine.printed()]).toEqual([0, expect.stringContaining("fine")]);
  const failed = await callShell("echo bad; exit 3");
  expect([await failed.exitCode, failed.printed()]).toEqual([1, expect.stringContaining("bad")]);
});

test("the first stop request ends the tool, and the second one the process at once", async () => {
  const { context, stop, exits, exitCode } = await callShell("sleep 600");
  await expect.poll(() => context.progress.hasStarted).toBe(true);
  stop("user");
  expect(exits).toEqual([]);
  expect(() => stop("user")).toThrow("the process ended");
  expect(exits).toEqual([130]);
  expect(await exitCode).toBe(130);
});
