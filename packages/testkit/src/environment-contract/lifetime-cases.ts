import assert from "node:assert/strict";
import type { SpawnedProcess } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefusedAs, createMark, type EnvironmentBench, pause, timed } from "./environment-bench.ts";
import { operationsAt } from "./operations.ts";

/** Conformance cases for the disposal of an environment. */
export const lifetimeCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/dispose",
    requirement: "loop-4.1-6",
    title: "Allows repeated and concurrent disposal",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.txt": "x" });
      await Promise.all([environment[Symbol.asyncDispose](), environment[Symbol.asyncDispose]()]);
      await environment[Symbol.asyncDispose]();
    },
  },
  {
    id: "environment/closed-files",
    requirement: "loop-4.1-6",
    title: "Rejects every file operation after disposal with environment.closed",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.txt": "x" });
      await environment[Symbol.asyncDispose]();
      for (const [name, operation] of operationsAt(environment, "a.txt")) {
        await assertRefusedAs(operation, "closed", name);
      }
    },
  },
  {
    id: "environment/closed-commands",
    requirement: "loop-4.1-6",
    title: "Rejects every start of a process after disposal with environment.closed",
    async check({ environment, needs }) {
      needs("shell");
      await environment[Symbol.asyncDispose]();
      await assertRefusedAs(() => environment.exec(["true"]), "closed", "a program");
      await assertRefusedAs(() => environment.shell("true"), "closed", "a command line");
      needs("spawn");
      await assertRefusedAs(() => environment.spawn(["true"]), "closed", "a spawned program");
    },
  },
  {
    id: "environment/dispose-commands",
    requirement: "loop-4.1-6",
    title: "Ends running commands on disposal, even if they ignore signals, and waits for their end",
    async check({ environment, needs, assertNoProcesses, countProcesses, killGraceMs, toleranceMs }) {
      needs("shell", "processes");
      const mark = createMark();
      const lines = [
        `echo up; sleep ${mark}`,
        `trap '' TERM; echo up; while :; do sleep ${mark}; done`,
        `sleep ${mark} & echo up; wait`,
      ];
      const commands: { settled: boolean }[] = [];
      await Promise.all(
        lines.map(async (line) => {
          const command = { settled: false };
          commands.push(command);
          await new Promise<void>((resolve, reject) => {
            const over = (): void => {
              command.settled = true;
              reject(new assert.AssertionError({ message: "a command ended before it had started" }));
            };
            environment.shell(line, { onOutput: () => resolve() }).then(over, over);
          });
        }),
      );
      assert.ok((await countProcesses(mark)) >= lines.length, "the running processes were not found");
      const { durationMs } = await timed(async () => environment[Symbol.asyncDispose]());
      assert.ok(durationMs < 2 * killGraceMs + toleranceMs, `it took ${Math.round(durationMs)} ms`);
      await assertNoProcesses(mark);
      await pause(100);
      assert.deepEqual(
        commands.map(({ settled }) => settled),
        [true, true, true],
        "a command of a closed environment never ends",
      );
    },
  },
  {
    id: "environment/dispose-sessions",
    requirement: "loop-4.1-6",
    title: "Ends on disposal what a finished command left running in a separate session",
    async check({ environment, needs, assertNoProcesses }) {
      needs("shell", "processes", "sessions");
      const mark = createMark();
      // The shell waits until "sleep" has closed its output. By then, "setsid" has created its session. If the shell
      // ended earlier, "setsid" could be ended together with the shell's process group.
      const left = `setsid sh -c 'exec sleep ${mark} >/dev/null 2>&1 </dev/null' &`;
      const { exitCode } = await environment.shell(`: "$(${left})"`);
      assert.equal(exitCode, 0);
      await environment[Symbol.asyncDispose]();
      await assertNoProcesses(mark);
    },
  },
  {
    id: "environment/dispose-spawned",
    requirement: "loop-4.1-6",
    title: "Ends spawned programs on disposal, and reports their end",
    async check({ environment, needs, assertNoProcesses }) {
      needs("spawn", "processes");
      const mark = createMark();
      const spawned: SpawnedProcess = await environment.spawn(["sh", "-c", `sleep ${mark} & echo up; sleep ${mark}`]);
      await spawned.stdout.getReader().read();
      await environment[Symbol.asyncDispose]();
      assert.notEqual((await spawned.exited).exitCode, 0);
      await assertNoProcesses(mark);
      await spawned[Symbol.asyncDispose]();
    },
  },
  {
    id: "environment/identity",
    requirement: "loop-4.1-7",
    title: "Returns its name, working directory, platform and operating system version",
    async check({ environment }) {
      const { name, workingDirectory, platform, osVersion } = environment;
      assert.ok(name.length > 0 && !/[\n\0]/.test(name), `the name is ${JSON.stringify(name)}`);
      assert.ok(["linux", "darwin", "windows", "wasm"].includes(platform), `the platform is ${platform}`);
      assert.ok(osVersion.length > 0, "the operating system version is empty");
      assert.match(workingDirectory, platform === "windows" ? /^[A-Za-z]:\\/ : /^\/.*[^/]$/);
      assert.equal((await environment.stat(workingDirectory)).kind, "directory");
    },
  },
  {
    id: "environment/identity-of-processes",
    requirement: "loop-4.1-7",
    title: "Returns the platform, version and working directory that processes see",
    async check({ environment, needs }) {
      needs("shell", "processes");
      const [system = "", release = ""] = (await environment.shell("uname -s; uname -r")).stdout.split("\n");
      assert.deepEqual([environment.platform, environment.osVersion], [system.toLowerCase(), release]);
      assert.equal((await environment.exec(["pwd", "-P"])).stdout, `${environment.workingDirectory}\n`);
    },
  },
];
