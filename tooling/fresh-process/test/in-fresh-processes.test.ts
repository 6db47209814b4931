import { DEPENDENCY, EngineError, type Run } from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { type FreshProcessOptions, inFreshProcesses } from "@switchyard/fresh-process";
import { bundleFromSource } from "@switchyard/suite/load-from-source";
import { recordingHost } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { ENGINES, type StepOptions } from "./engines/step-engines.ts";

const program = await bundleFromSource(
  new URL("./engines/program.ts", import.meta.url),
  new URL("..", import.meta.url),
);

interface Setup extends Partial<FreshProcessOptions> {
  readonly engine: keyof typeof ENGINES;
  readonly options?: StepOptions;
  readonly host?: ReturnType<typeof recordingHost>;
  readonly run?: Partial<Run>;
}

/** Runs an engine with a separate process for every step. */
function start({ engine: name, options = { steps: 3 }, host = recordingHost(), run = {}, ...more }: Setup) {
  const pids: (number | undefined)[] = [];
  const onProcess = (pid: number | undefined): number => pids.push(pid);
  const engine = inFreshProcesses(ENGINES[name](options), {
    program,
    engine: name,
    options,
    onProcess,
    ...more,
  });
  const board = createBoard();
  const { signal } = new AbortController();
  const whole: Run = { id: "run-1", attributes: { "agent.id": "a" }, deps: createDependencies(), signal, ...run };
  return { engine, host, board, pids, execution: engine.execute(whole, host, board) };
}

function isAlive(pid: number | undefined): boolean {
  try {
    return process.kill(pid ?? Number.NaN, 0);
  } catch {
    return false;
  }
}

describe("a run", () => {
  test("has a separate process for every step, which has ended when the next step begins", async () => {
    const steps: [number, number][] = [];
    const alive: boolean[] = [];
    const { host, board, pids, execution } = start({
      engine: "board",
      options: { steps: 3, onStep: (step, pid) => steps.push([step, pid]) },
      onProcess: (pid) => {
        alive.push(pids.some(isAlive));
        pids.push(pid);
      },
    });
    expect(await execution).toBe(board);
    expect(board.getVar("step")).toBe(3);
    expect(new Set(pids).size).toBe(4);
    expect(steps).toEqual([0, 1, 2].map((step) => [step, pids[step]]));
    expect(pids).not.toContain(process.pid);
    expect([...alive, ...pids.map(isAlive)]).not.toContain(true);
    expect(host.types()).toEqual(["run_start", "run_end"]);
    expect(host.checkpoints.map(({ board: { vars } }) => vars["step"])).toEqual([1, 2, 3]);
  });

  test("stays in its process at checkpoints at which the process must not end", async () => {
    const { pids, execution } = start({ engine: "board", mayEnd: ({ board }) => board.vars["step"] === 2 });
    await execution;
    expect(pids).toHaveLength(2);
  });

  test("of an engine with state in memory ends in one process, but never in separate ones", async () => {
    const options = { steps: 3 };
    const { execution } = start({ engine: "memory", options, maxProcesses: 6 });
    await expect(execution).rejects.toThrow("The run did not come to its end in 6 processes.");
    const { pids, execution: whole } = start({ engine: "memory", options, mayEnd: () => false });
    await whole;
    expect(pids).toHaveLength(1);
  });

  test("continues from the given checkpoint", async () => {
    const resumeFrom = { execId: "run-1", board: { vars: { step: 2 } }, timestamp: new Date(0).toISOString() };
    const resume = { attempt: 2, startedAt: resumeFrom.timestamp, signal: "crash" };
    const { host, board, execution } = start({ engine: "board", run: { resumeFrom, resume } });
    await execution;
    expect([board.getVar("step"), host.checkpoints.length]).toEqual([3, 1]);
    expect(host.envelopes.map(({ attempt }) => attempt)).toEqual([2, 2]);
  });
});

describe("between the test and the process", () => {
  test("host, dependencies and signal are those of the test", async () => {
    const host = recordingHost({ askUser: () => ({ parts: [{ type: "text", text: "this" }] }) });
    const controller = new AbortController();
    const reason = new EngineError("run.timed_out", {});
    const { board, execution } = start({
      engine: "curious",
      host,
      options: { steps: 1, onStep: (step) => (step === 1 ? controller.abort(reason) : undefined) },
      run: { signal: controller.signal, deps: createDependencies([[DEPENDENCY.environment, { name: "here" }]]) },
    });
    await expect(execution).rejects.toMatchObject({ code: "run.timed_out" });
    expect(board.vars()).toEqual({
      name: "here",
      attributes: { "agent.id": "a" },
      isInterrupted: false,
      reply: "this",
    });
    expect(host.prompts).toEqual([{ parts: [{ type: "text", text: "Which?" }] }]);
    expect(host.usages).toHaveLength(1);
  });

  test("an error of the test comes back as the same error, an error of the engine with its cause", async () => {
    const failure = new EngineError("run.store_failed", { path: "/state", problem: "no space" });
    const refused = start({ engine: "board", host: recordingHost({ checkpointFailure: failure }) });
    await expect(refused.execution).rejects.toBe(failure);
    expect(refused.pids).toHaveLength(1);
    const { execution } = start({ engine: "failing" });
    await expect(execution).rejects.toMatchObject({ code: "llm.server_error", cause: { name: "TypeError" } });
  });

  test("a process that ends unexpectedly fails the run", async () => {
    await expect(start({ engine: "dying" }).execution).rejects.toThrow("ended by itself, with 7");
  });
});
