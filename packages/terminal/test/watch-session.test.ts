import type { Interrupt, SessionHandle, SessionReport } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { SILENT_VIEW, type StopRequest, type TextOutput, type WatchingProcess, watchSession } from "../src/index.ts";

/** Thrown when the process is ended. */
class Exited extends Error {}

function collectOutput(): TextOutput & { text(): string } {
  let written = "";
  const never = new AbortController().signal;
  return {
    ...{ isTerminal: false, hasColour: false, columns: 80, closed: never, readerGone: never },
    write: (text) => {
      written += text;
    },
    flushed: () => Promise.resolve(),
    text: () => written,
  };
}

function createProcess() {
  const stops = new Set<(request: StopRequest) => void>();
  const crashes: ((error: unknown) => void)[] = [];
  const stderr = collectOutput();
  const context: WatchingProcess = {
    ...{ stdout: collectOutput(), stderr, progress: { hasStarted: false } },
    onStopRequest: (listener) => {
      stops.add(listener);
      return () => stops.delete(listener);
    },
    onCrash: (listener) => {
      crashes.push(listener);
      return () => crashes.pop();
    },
    exit: () => {
      throw new Exited();
    },
  };
  const stop = (request: StopRequest): void => {
    for (const listener of stops) listener(request);
  };
  return { context, stop, crash: () => crashes.at(-1)?.(new Error("crash")), told: stderr.text };
}

/** Creates a session that runs until it is ended, and records requests. */
function endlessSession(): { handle: SessionHandle; asked: (string | Interrupt)[]; end: () => void } {
  const asked: (string | Interrupt)[] = [];
  let end: () => void = () => {};
  const report: SessionReport = {
    ...{ runId: "r1", engine: "agent", status: "interrupted", artifacts: [] },
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    timing: { startedAt: "", finishedAt: "", durationMs: 0 },
  };
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const handle: SessionHandle = {
    ...{ runId: "r1", startSeq: 7, steer: () => {}, followUp: () => {}, answer: () => {} },
    events: (afterSeq) => {
      asked.push(`events behind ${afterSeq}`);
      return { [Symbol.asyncIterator]: () => ({ next: () => ended.then(() => ({ done: true, value: undefined })) }) };
    },
    interrupt: (interrupt) => asked.push(interrupt),
    suggestCheckpoint: () => asked.push("checkpoint"),
    result: ended.then(() => report),
  };
  return { handle, asked, end };
}

function watch(request: StopRequest) {
  const { context, stop, crash, told } = createProcess();
  const session = endlessSession();
  let signal: AbortSignal | undefined;
  const start = async (given: AbortSignal): Promise<SessionHandle> => {
    signal = given;
    return session.handle;
  };
  const openView = () => SILENT_VIEW;
  const watching = watchSession(context, start, { openView, resumeCommand: (id) => `resume ${id}` });
  const ask = (): void => stop(request);
  return { ...session, crash, printed: told, watching, ask, isCancelled: () => signal?.aborted };
}

test("Ctrl-C interrupts a run; SIGTERM requests a checkpoint first", async () => {
  const person = watch("user");
  const machine = watch("shutdown");
  await new Promise((resolve) => setImmediate(resolve));
  for (const { ask, end, watching } of [person, machine]) {
    ask();
    end();
    expect(await watching).toMatchObject({ status: "interrupted" });
  }
  expect(person.asked).toEqual(["events behind 7", { cause: "user_cancel" }]);
  expect(machine.asked).toEqual(["events behind 7", "checkpoint", { cause: "host_shutdown" }]);
});

test("the second request to stop cancels, and the third one ends the process and prints how to continue", async () => {
  const { ask, isCancelled, printed, end, watching } = watch("user");
  await new Promise((resolve) => setImmediate(resolve));
  ask();
  expect(isCancelled()).toBe(false);
  ask();
  expect(isCancelled()).toBe(true);
  expect(printed()).toBe("");
  expect(ask).toThrow(Exited);
  expect(printed()).toBe("The run was cut off. Resume with: resume r1\n");
  end();
  await watching;
});

test("a process that fails during a run prints how to continue", async () => {
  const { crash, printed, end, watching } = watch("user");
  await new Promise((resolve) => setImmediate(resolve));
  crash();
  expect(printed()).toBe("The run was cut off. Resume with: resume r1\n");
  end();
  await watching;
});
