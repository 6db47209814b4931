import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RunRecord, SessionReport } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import { execa } from "execa";
import { expect, test } from "vitest";
import { answerError, beginAnswer, startLoopbackModel } from "./loopback-model.ts";
import { startMockModel } from "./mock-model.ts";
import { BIN, makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

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
    stdout: `Deleted run ${id}.`,
  });
  expect(await readdir(join(state, "runs"))).toEqual([]);
});

test("cleaning removes ended runs, resumable runs only on request, and never one that is being processed", async () => {
  const state = await makeFolder();
  const { baseUrl } = await startMockModel("anthropic", ["Done."]);
  const failing = await startLoopbackModel(answerError(401, "authentication_error"));
  await runIn(state, baseUrl);
  await runIn(state, failing.baseUrl);
  const hanging = await startLoopbackModel(beginAnswer);
  const words = ["run", "--model", "anthropic/m", "--base-url", hanging.baseUrl, "--state", state, "hello"];
  const { command } = await startSwitchyard([...words, "--events", "jsonl"], { env: KEY });
  await new Promise<void>((resolve) => {
    command.stdout?.on("data", (chunk) => String(chunk).includes("Half an") && resolve());
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
    stderr: expect.stringContaining("Another process is working on the run"),
  });
  command.kill("SIGKILL");
  await command;
  expect(await clean("--older-than", "0s", "--include-resumable")).toBe(1);
  expect(await switchyard(["runs", "clean", "--state", state, "--older-than", "30"])).toMatchObject({ exitCode: 2 });
});

test("cleaning removes all that is over, also when there are more runs than files a process may open", async () => {
  const state = await makeFolder();
  const store = openFileStore({ directory: state });
  const at = "2026-01-01T00:00:00.000Z";
  const ids = Array.from({ length: 400 }, (_, index) => `run-${index}`);
  await Promise.all(
    ids.map(async (runId) => {
      const record: RunRecord = {
        ...{ format: 1, run_id: runId, engine: "e", title: "t", status: "running", attempt: 1 },
        ...{ created_at: at, created_by: "0.0.0" },
      };
      const writer = await store.create(record, { format: 1, input: { messages: [] } });
      const timing = { startedAt: at, finishedAt: at, durationMs: 0 };
      const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
      const report: SessionReport = { runId, engine: "e", status: "completed", artifacts: [], usage, timing };
      await writer.finish(report, { status: "completed", finished_at: at });
    }),
  );
  await store.close();
  const words = [process.execPath, BIN, "runs", "clean", "--older-than", "1d", "--state", state];
  const { stdout } = await execa("/bin/sh", ["-c", 'ulimit -n 300; exec "$@"', "sh", ...words], {
    env: { PATH: process.env["PATH"] ?? "", HOME: state },
    extendEnv: false,
  });
  expect(stdout).toBe("Deleted 400 runs.");
});
