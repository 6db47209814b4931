import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createAgentEngine, createAnthropicProfile } from "@switchyard/agent";
import { DEPENDENCY, isExecutionEnvironment, type RegisteredTool, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { openFileStore } from "@switchyard/stores/file";
import { scriptedClient, text, toolCalls } from "@switchyard/testkit";
import { expect, test } from "vitest";
import {
  endOrphanedProcesses,
  queueSession,
  resumeSession,
  type StartSessionOptions,
  settleSession,
  startSession,
} from "../src/index.ts";
import { collect, deferred, task, temporaryWorkspace } from "./temporary-session.ts";

test("an agent whose run was taken over during a round makes no further call, and its session reports the reason [D4] [D6]", async () => {
  using workspace = temporaryWorkspace();
  const store = openFileStore({ directory: workspace.stateDirectory });
  const [reached, taken] = [deferred(), deferred()];
  const ledger: number[] = [];
  const spend: RegisteredTool = {
    definition: { name: "spend", description: "", parameters: { type: "object" } },
    execute: async () => {
      ledger.push(ledger.length + 1);
      reached.resolve();
      await taken.promise;
      return "spent";
    },
  };
  const call = { name: "spend", arguments: {} };
  const engineOf = (...answers: Parameters<typeof scriptedClient>[0][number][]) =>
    createAgentEngine({
      client: scriptedClient(answers, { follows: "conversation" }),
      profile: createAnthropicProfile({ model: "claude", supportsParallelToolCalls: false }),
      tools: [spend],
    });
  const steps = [toolCalls([call, call, call]), text("I see.")] as const;
  const options = { ...workspace.options({ engine: engineOf(...steps), engineName: "agent" }) };
  const first = await startSession(task(), options);
  await reached.promise;
  const second = await resumeSession(first.runId, { ...options, engine: engineOf(...steps), takeOver: true });
  const won = await second.result;
  taken.resolve();
  const lost = await first.result;
  expect(won).toMatchObject({ status: "completed", result: { final_message: "I see." } });
  expect(lost).toMatchObject({ status: "error", error: { code: "store.stale_epoch" } });
  expect(ledger).toEqual([1]);
  expect((await store.show(first.runId)).report).toEqual(won);
  const events = await collect(store.events(first.runId));
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter((event) => event.type === "run_end").map((event) => event.attempt)).toEqual([2]);
});

test("a session that ends after an unnoticed takeover does not change the other's files, and reports no success [D6] [D7]", async () => {
  using workspace = temporaryWorkspace();
  const [reached, taken] = [deferred(), deferred()];
  const engineOf = (words: string, wait: () => Promise<void>) =>
    defineEngine(
      async (run, _host, board) => {
        const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
        await wait();
        await environment.writeFile("out.txt", words);
        board.set(SESSION_RESULT, {
          exit_code: 0,
          final_message: words,
          artifacts: { files: [{ name: "out.txt", path: "out.txt" }] },
        });
      },
      { supportsResume: true, emitsCheckpoint: true },
    );
  const waiting = engineOf("the first", async () => {
    reached.resolve();
    await taken.promise;
  });
  const options = workspace.options({ engine: waiting, engineName: "writer" });
  const first = await startSession(task(), options);
  await reached.promise;
  const engine = engineOf("the second", async () => {});
  const won = await (await resumeSession(first.runId, { ...options, engine, takeOver: true })).result;
  expect(won).toMatchObject({ status: "completed", artifacts: [{ name: "out.txt", path: expect.any(String) }] });
  taken.resolve();
  expect(await first.result).toMatchObject({ status: "error", error: { code: "store.stale_epoch" } });
  const archived = readFileSync(join(won.runFolder ?? "", "artifacts", won.artifacts[0]?.path ?? ""), "utf8");
  expect(archived).toBe("the second");
});

test("processes that an attempt left running are ended before the next one continues, which reports it [D4] [D10]", async ({
  skip,
}) => {
  skip(process.platform !== "linux", "only Linux finds processes by their environment variables");
  using workspace = temporaryWorkspace();
  const [started, ended] = [deferred(), deferred()];
  const leaving = defineEngine(
    async (run) => {
      const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
      const sleeper = await environment.spawn(["sleep", "300"]);
      started.resolve();
      await sleeper.exited;
      ended.resolve();
    },
    { supportsResume: true, emitsCheckpoint: true },
  );
  const options = workspace.options({ engine: leaving, engineName: "sleeper" });
  const first = await startSession(task(), options);
  await started.promise;
  const engine = defineEngine(
    async (_run, _host, board) => {
      await ended.promise;
      board.set(SESSION_RESULT, { exit_code: 0, final_message: "Nothing runs." });
    },
    { supportsResume: true, emitsCheckpoint: true },
  );
  const report = await (await resumeSession(first.runId, { ...options, engine, takeOver: true })).result;
  expect(report).toMatchObject({ status: "completed", result: { final_message: "Nothing runs." } });
  expect(report.warnings).toEqual(["Ended one process that the attempt before had left running."]);
  await first.result;
});

test("processes of a dead host are ended also if its run cannot be resumed [D10]", async ({ skip }) => {
  skip(process.platform !== "linux", "only Linux finds processes by their environment variables");
  const ways: ((runId: string, options: StartSessionOptions) => Promise<unknown>)[] = [
    settleSession,
    endOrphanedProcesses,
    (runId, options) => expect(resumeSession(runId, options)).rejects.toMatchObject({ code: "run.not_resumable" }),
  ];
  for (const end of ways) {
    using workspace = temporaryWorkspace();
    const engine = defineEngine(async () => {});
    const store = openFileStore({ directory: workspace.stateDirectory });
    const options = { ...workspace.options({ engine, engineName: "gone" }), store };
    const { run_id: runId } = await queueSession(task(), options);
    await using before = await openLocalEnvironment({ root: workspace.root, env: { PATH: process.env["PATH"] } });
    const left = await before.spawn(["sleep", "300"]);
    const writer = await store.acquire(runId);
    await writer.update({ status: "running", environment: before.name, process_mark: before.processMark });
    // While another process works on the run, no process is ended. The call waits for that process for a while.
    if (end === endOrphanedProcesses) expect(await endOrphanedProcesses(runId, options)).toBe(0);
    await writer.release();
    await end(runId, options);
    expect(await left.exited).toMatchObject({ signal: "SIGTERM" });
  }
});
