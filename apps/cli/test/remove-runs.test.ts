import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerError, beginAnswer, startLoopbackModel } from "./loopback-model.ts";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

async function runIn(state: string, baseUrl: string): Promise<void> {
  await switchyard(["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "hello"], { env: KEY });
}

test("a run is deleted by its id or its beginning, and only if there is one such", async () => {
  const state = await makeFolder();
  const { baseUrl } = await startMockModel("anthropic", ["Done."]);
  await runIn(state, baseUrl);
  const [id = ""] = await readdir(join(state, "runs"));
  expect(await switchyard(["runs", "delete", "zzz", "--state", state])).toMatchObject({ exitCode: 2 });
  expect(await switchyard(["runs", "delete", id.slice(0, 10), "--state", state])).toMatchObject({
    exitCode: 0,
    stdout: `Deleted the run ${id}.`,
  });
  expect(await readdir(join(state, "runs"))).toEqual([]);
});

test("cleaning removes what is over, resumable runs only when asked to, and never one that is worked on", async () => {
  const state = await makeFolder();
  const { baseUrl } = await startMockModel("anthropic", ["Done."]);
  const failing = await startLoopbackModel(answerError(401, "authentication_error"));
  await runIn(state, baseUrl);
  await runIn(state, failing.baseUrl);
  const hanging = await startLoopbackModel(beginAnswer);
  const words = ["run", "--model", "anthropic/m", "--base-url", hanging.baseUrl, "--state", state, "hello"];
  const { command } = await startSwitchyard([...words, "--events", "jsonl"], { env: KEY });
  await new Promise<void>((resolve) => {
    command.stdout?.on("data", (chunk) => String(chunk).includes("Half an ans") && resolve());
  });

  const clean = async (...more: string[]): Promise<number> => {
    const { exitCode, stdout } = await switchyard(["runs", "clean", "--state", state, "--json", ...more]);
    expect(exitCode).toBe(0);
    return Object(JSON.parse(stdout)).deleted.length;
  };
  expect(await clean("--older-than", "1d")).toBe(0);
  expect(await clean("--older-than", "0s")).toBe(1);
  expect(await clean("--older-than", "0s", "--include-resumable")).toBe(1);
  const [id = "", ...others] = await readdir(join(state, "runs"));
  expect(others).toEqual([]);
  expect(await switchyard(["runs", "delete", id, "--state", state])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Another process works on the run"),
  });
  command.kill("SIGKILL");
  await command;
  expect(await clean("--older-than", "0s", "--include-resumable")).toBe(1);
  expect(await switchyard(["runs", "clean", "--state", state, "--older-than", "30"])).toMatchObject({ exitCode: 2 });
});
