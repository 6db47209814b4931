import assert from "node:assert/strict";
import type { ExecOptions, ExecResult } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import { createMark, type EnvironmentBench, timed } from "./environment-bench.ts";

const TIMEOUT_MS = 1_000;

/** Runs a command line until its time limit ends it, and asserts that it ends soon after. */
async function runOutOfTime(bench: EnvironmentBench, line: string): Promise<ExecResult> {
  const { environment, killGraceMs, toleranceMs } = bench;
  const { value, durationMs } = await timed(() => environment.shell(line, { timeoutMs: TIMEOUT_MS }));
  assert.deepEqual([value.timedOut, value.aborted], [true, false]);
  assert.ok(durationMs >= TIMEOUT_MS - 50, `it ended after ${Math.round(durationMs)} ms`);
  const mostMs = TIMEOUT_MS + killGraceMs + toleranceMs;
  assert.ok(durationMs < mostMs, `it took ${Math.round(durationMs)} ms, more than ${mostMs}`);
  return value;
}

/** Command lines that never end and are hard to stop, each with the expected output. */
const STUBBORN: readonly { readonly id: string; readonly label: string; render(mark: string): string }[] = [
  { id: "pipeline", label: "a pipeline", render: (mark) => `echo up; sleep ${mark} | sleep ${mark} | cat` },
  {
    id: "background",
    label: "a command with children in the background",
    render: (mark) => `echo up; sleep ${mark} & (sleep ${mark} & sleep ${mark}) & wait`,
  },
  {
    id: "daemon",
    label: "a command that left children to themselves",
    render: (mark) => `echo up; (sleep ${mark} </dev/null >/dev/null 2>&1 &); sleep ${mark}`,
  },
  {
    id: "closed-pipes",
    label: "a command that closed its pipes",
    render: (mark) => `echo up; exec <&- >&- 2>&-; sleep ${mark}`,
  },
];

/** Conformance cases for commands that are ended, or that leave processes running. See loop: §5.4. */
export const endingCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/timeout",
    requirement: ["loop-4.2-4", "loop-4.1-4"],
    title: "Ends a command that exceeds its time limit with SIGTERM, and returns its output so far",
    async check(bench) {
      bench.needs("shell", "processes");
      const mark = createMark();
      const { stdout, exitCode, signal } = await runOutOfTime(bench, `echo up; sleep ${mark}; echo never`);
      assert.deepEqual({ stdout, exitCode, signal }, { stdout: "up\n", exitCode: 143, signal: "SIGTERM" });
      await bench.assertNoProcesses(mark);
    },
  },
  {
    id: "environment/timeout-told",
    requirement: ["loop-4.1-3", "loop-4.1-4"],
    title: "Ends a command soon after its time limit, and reports the timeout in the result",
    async check(bench) {
      bench.needs("shell");
      const { exitCode } = await runOutOfTime(bench, "sleep 60");
      assert.notEqual(exitCode, 0);
    },
  },
  {
    id: "environment/timeout-ignored",
    requirement: "loop-4.2-4",
    title: "Ends a command that ignores SIGTERM with SIGKILL after the grace period",
    async check(bench) {
      bench.needs("shell", "processes");
      const mark = createMark();
      const line = `trap '' TERM; echo up; while :; do sleep ${mark}; done`;
      const { value, durationMs } = await timed(() => runOutOfTime(bench, line));
      assert.deepEqual([value.stdout, value.exitCode, value.signal], ["up\n", 137, "SIGKILL"]);
      const leastMs = TIMEOUT_MS + bench.killGraceMs - 100;
      assert.ok(durationMs >= leastMs, `SIGKILL came after ${Math.round(durationMs)} ms`);
      await bench.assertNoProcesses(mark);
    },
  },
  {
    id: "environment/timeout-grace",
    requirement: "loop-4.2-4",
    title: "Allows a command to end by itself during the grace period",
    async check(bench) {
      bench.needs("shell", "processes");
      // The command waits without a child process. A child process that is just starting would also run the trap.
      const line = "trap 'echo cleaned; exit 7' TERM; sleep 60 & echo up; wait";
      const { stdout, exitCode, signal } = await runOutOfTime(bench, line);
      assert.deepEqual([stdout, exitCode, signal], ["up\ncleaned\n", 7, undefined]);
    },
  },
  {
    id: "environment/timeout-once",
    requirement: "loop-4.2-4",
    title: "Sends SIGTERM once to a command that reaches its time limit",
    async check(bench) {
      bench.needs("shell", "processes");
      const mark = createMark();
      // The printing process waits for a child process that ignores signals.
      // It therefore receives every signal that is sent before SIGKILL.
      const line = `trap 'echo asked' TERM; (trap '' TERM; echo up; exec sleep ${mark}) & wait; wait; wait`;
      assert.equal((await runOutOfTime(bench, line)).stdout, "up\nasked\n");
      await bench.assertNoProcesses(mark);
    },
  },
  {
    id: "environment/timeout-name",
    requirement: "loop-4.2-4",
    title: "Ends a process whatever its name",
    async check(bench) {
      bench.needs("shell", "processes");
      const mark = createMark();
      // The process has no child process that could be found in its place.
      // It has also dropped the environment variables with which it was started.
      const stubborn = `trap "" TERM; printf "a) Z\\nb" >/proc/$$/comm; echo up; read x <hold # ${mark}`;
      const line = `[ -w /proc/self/comm ] || { echo up; sleep ${mark}; }; mkfifo hold; exec env -i sh -c '${stubborn}'`;
      assert.equal((await runOutOfTime(bench, line)).stdout, "up\n");
      await bench.assertNoProcesses(mark);
    },
  },
  ...STUBBORN.map(
    ({ id, label, render }): CaseBody<EnvironmentBench> => ({
      id: `environment/timeout-${id}`,
      requirement: ["loop-4.2-2", "loop-4.2-4"],
      title: `Leaves nothing of ${label} running at the time limit`,
      async check(bench) {
        bench.needs("shell", "processes");
        const mark = createMark();
        assert.equal((await runOutOfTime(bench, render(mark))).stdout, "up\n");
        await bench.assertNoProcesses(mark);
      },
    }),
  ),
  {
    id: "environment/timeout-session",
    requirement: "loop-4.2-4",
    title: "Leaves nothing of a process with a separate session running at the time limit",
    async check(bench) {
      bench.needs("shell", "processes", "sessions");
      const mark = createMark();
      await runOutOfTime(
        bench,
        `setsid sleep ${mark} & (setsid sh -c 'sleep ${mark} & sleep ${mark}' &); sleep ${mark}`,
      );
      await bench.assertNoProcesses(mark);
    },
  },
  {
    id: "environment/timeout-none",
    requirement: "loop-4.1-4",
    title: "Ends nothing without a time limit or with a distant one",
    async check({ environment, needs }) {
      needs("shell");
      for (const timeoutMs of [undefined, 0, 2 ** 40]) {
        const { stdout, timedOut } = await environment.shell("sleep 1; echo over", { timeoutMs });
        assert.deepEqual([stdout, timedOut], ["over\n", false], `a limit of ${timeoutMs}`);
      }
    },
  },
  {
    id: "environment/timeout-many",
    requirement: "loop-4.2-4",
    title: "Leaves nothing running of fifteen commands that reach their time limit together",
    async check(bench) {
      bench.needs("shell", "processes");
      const mark = createMark();
      await Promise.all(
        Array.from({ length: 15 }, (_, index) =>
          runOutOfTime(bench, `${index % 3 ? "" : "trap '' TERM;"} sleep ${mark}`),
        ),
      );
      await bench.assertNoProcesses(mark);
    },
  },
  {
    id: "environment/clean-exit",
    requirement: "loop-4.2-2",
    title: "Resolves a finished command although a child process holds its output open, and ends the child process",
    async check(bench) {
      bench.needs("shell", "processes");
      const mark = createMark();
      const line = `sleep ${mark} & sleep ${mark} >/dev/null 2>&1 & echo done`;
      const { value, durationMs } = await timed(() => bench.environment.shell(line));
      assert.deepEqual([value.stdout, value.exitCode, value.timedOut], ["done\n", 0, false]);
      assert.ok(durationMs < bench.toleranceMs, `it took ${Math.round(durationMs)} ms`);
      await bench.assertNoProcesses(mark);
    },
  },
  {
    id: "environment/abort-before",
    requirement: "loop-4.1-4",
    title: "Starts nothing if the signal has already aborted",
    async check({ environment, needs }) {
      needs("shell");
      const options: ExecOptions = { signal: AbortSignal.abort() };
      for (const run of [
        () => environment.shell("touch planted", options),
        () => environment.exec(["touch", "planted"], options),
      ]) {
        const { aborted, timedOut, stdout } = await run();
        assert.deepEqual([aborted, timedOut, stdout], [true, false, ""]);
      }
      assert.equal(await environment.exists("planted"), false);
    },
  },
  {
    id: "environment/abort",
    requirement: ["loop-4.1-4", "loop-4.2-4"],
    title: "Ends the command and all its processes soon after the signal aborts",
    async check(bench) {
      bench.needs("shell", "processes");
      const { environment, killGraceMs, toleranceMs } = bench;
      const mark = createMark();
      const stop = new AbortController();
      const line = `sleep ${mark} & echo up; sleep ${mark}`;
      const options: ExecOptions = { signal: stop.signal, timeoutMs: 60_000, onOutput: () => stop.abort() };
      const { value, durationMs } = await timed(() => environment.shell(line, options));
      assert.deepEqual([value.stdout, value.aborted, value.timedOut], ["up\n", true, false]);
      assert.ok(durationMs < killGraceMs + toleranceMs, `it took ${Math.round(durationMs)} ms`);
      await bench.assertNoProcesses(mark);
    },
  },
  {
    id: "environment/abort-after",
    requirement: "loop-4.1-4",
    title: "Changes nothing, and ends no other command, if the signal aborts after the command has ended",
    async check({ environment, needs }) {
      needs("shell");
      const stop = new AbortController();
      const first = await environment.shell("echo first", { signal: stop.signal });
      const second = environment.shell("sleep 1; echo second");
      stop.abort();
      assert.deepEqual([first.stdout, first.aborted], ["first\n", false]);
      assert.deepEqual([(await second).stdout, (await second).aborted], ["second\n", false]);
    },
  },
];
