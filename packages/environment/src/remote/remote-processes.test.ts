import type { SpawnedProcess } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRemoteProcesses } from "./remote-processes.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A client that prints a text on standard error, if any, and runs until it is released. */
function runningClient(text = ""): SpawnedProcess {
  let exit: (exit: { exitCode: number }) => void = () => {};
  const stderr = new ReadableStream({ start: (output) => output.enqueue(Buffer.from(text)) });
  return {
    ...{ pid: 1, stdin: new WritableStream(), stdout: new ReadableStream(), stderr },
    exited: new Promise((resolve) => {
      exit = resolve;
    }),
    kill: () => {},
    [Symbol.asyncDispose]: async () => exit({ exitCode: 1 }),
  };
}

/** Processes of an environment in which no command reports its exit, nor, if `starts` is not set, its start. */
function silentBackend(starts = false) {
  const signal = vi.fn(async () => ({ group: false, marked: [] }));
  const settings = {
    backend: {
      name: "silent",
      start: async (command: string) =>
        runningClient(starts ? `\x1e${command.match(/[0-9a-f]{32}/)?.[0]} start 7\n` : ""),
      explain: () => new EngineError("environment.unavailable", { environment: "silent", problem: "nothing is heard" }),
      close: async () => {},
    },
    facts: { session: "setsid", variables: {} },
    workspace: { real: "/w" },
    watch: { register: () => {}, unregister: () => {}, signal },
    variableRules: undefined,
    times: { killGraceMs: 10, drainMs: 10 },
  };
  return { processes: createRemoteProcesses(settings, "0e7c1b1e-0000-4000-8000-000000000000"), signal };
}

test("a command that does not start fails after three minutes, and a late start is ended by its mark", async () => {
  const { processes, signal } = silentBackend();
  const failed = processes.run(["true"], {}).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(170_000);
  expect(signal).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await failed).toMatchObject({
    code: "environment.spawn_failed",
    message: expect.stringContaining("it did not report its start within three minutes"),
  });
  expect(signal).toHaveBeenCalledWith({ mark: expect.stringMatching(/\.1\.$/) }, "SIGTERM");
});

test("close waits half a minute for commands that do not start", async () => {
  const { processes, signal } = silentBackend();
  void processes.run(["true"], {}).catch(() => {});
  const closed = vi.fn();
  void processes.close().then(closed);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(closed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(closed).toHaveBeenCalled();
  expect(signal).toHaveBeenCalledWith({ mark: expect.stringMatching(/0\.$/) }, "SIGTERM");
});

test("a stopped command whose exit is never reported counts as ended by SIGKILL", async () => {
  const { processes, signal } = silentBackend(true);
  const stop = new AbortController();
  const timed = processes.run(["sleep", "300"], { timeoutMs: 1_000 });
  const aborted = processes.run(["sleep", "300"], { signal: stop.signal });
  await vi.advanceTimersByTimeAsync(1_000);
  stop.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  const killed = { exitCode: 137, signal: "SIGKILL" };
  expect(await timed).toMatchObject({ ...killed, timedOut: true, aborted: false });
  expect(await aborted).toMatchObject({ ...killed, timedOut: false, aborted: true });
  expect(signal).toHaveBeenCalledWith({ group: 7, mark: expect.stringMatching(/\.1\.$/) }, "SIGTERM");
  expect(signal).toHaveBeenCalledWith({ group: 7, mark: expect.stringMatching(/\.2\.$/) }, "SIGTERM");
});
