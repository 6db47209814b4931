import { readdirSync, readFileSync } from "node:fs";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { LocalEnvironmentOptions } from "@switchyard/environment/local";
import { expect, test } from "vitest";
import { openWorkspace } from "../open-workspace.ts";
import { openSandbox, UNREADY } from "./open-sandbox.ts";

/** Returns the number of living processes on this machine whose command line contains a text. */
function countProcesses(text: string): number {
  return readdirSync("/proc").filter((pid) => {
    try {
      const isLiving = !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
      return /^\d+$/.test(pid) && isLiving && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  }).length;
}

type OpenEnvironment = (options?: Partial<LocalEnvironmentOptions>) => Promise<{ environment: ExecutionEnvironment }>;

const ENVIRONMENTS: readonly [string, OpenEnvironment][] = [
  ["a sandbox", (options) => openSandbox({}, options)],
  [
    "a local environment with process namespaces",
    (options) => openWorkspace({}, { processes: "namespace", ...options }),
  ],
];

let unique = 0;
/** Returns a unique number of seconds to sleep, which identifies the processes of a test. */
const someSeconds = (): string => `3${process.pid}.${++unique}7`;

test.for(ENVIRONMENTS)("in %s no process outlives its command", async ([, open], { skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { environment } = await open();
  for (const attempt of [
    "setsid sleep $S & echo up",
    "(setsid sh -c 'sleep $S & sleep $S' >/dev/null 2>&1 &); echo up",
    "nohup env -i sleep $S >/dev/null 2>&1 & echo up",
    "trap '' TERM HUP INT; setsid sh -c 'trap \"\" TERM; sleep $S; sleep $S' & echo up",
  ]) {
    const seconds = someSeconds();
    const result = await environment.shell(attempt.replaceAll("$S", seconds));
    expect(result, attempt).toMatchObject({ stdout: "up\n", exitCode: 0 });
    expect(countProcesses(`sleep\0${seconds}`), attempt).toBe(0);
    expect(result.durationMs).toBeLessThan(30_000);
  }
});

/** Time limit of a command that must have started before it is reached, also on a busy machine, in milliseconds. */
const STARTED_MS = 2_000;

test.for(ENVIRONMENTS)(
  "in %s a timed out command and its processes get SIGTERM, then SIGKILL",
  async ([, open], { skip }) => {
    skip(UNREADY !== undefined, UNREADY);
    const { environment } = await open({ killGraceMs: 500 });
    const seconds = someSeconds();
    const plain = await environment.shell(`setsid sleep ${seconds} & sleep ${seconds}`, { timeoutMs: 300 });
    expect(plain).toMatchObject({ timedOut: true, exitCode: 143, signal: "SIGTERM" });
    const interrupted = await environment.shell(
      "trap 'echo cleaned; exit 0' TERM; echo up; while :; do sleep 0.1; done",
      { timeoutMs: STARTED_MS },
    );
    expect(interrupted).toMatchObject({ timedOut: true, stdout: "up\ncleaned\n", exitCode: 0 });
    const deaf = await environment.shell(
      `trap '' TERM; echo up; setsid sleep ${seconds} & while :; do sleep 0.1; done`,
      { timeoutMs: STARTED_MS },
    );
    expect(deaf).toMatchObject({ timedOut: true, stdout: "up\n", exitCode: 137, signal: "SIGKILL" });
    expect(countProcesses(`sleep\0${seconds}`)).toBe(0);
  },
);

test.for(ENVIRONMENTS)("in %s an abort signal ends a command, and disposal ends all", async ([, open], { skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { environment } = await open();
  const seconds = someSeconds();
  const stop = new AbortController();
  const aborted = await environment.shell(`echo up; sleep ${seconds}`, {
    signal: stop.signal,
    onOutput: () => stop.abort(),
  });
  expect(aborted).toMatchObject({ aborted: true, exitCode: 143 });
  const spawned = await environment.spawn(["sh", "-c", `setsid sleep ${seconds} & echo up; sleep ${seconds}`]);
  await spawned.stdout.getReader().read();
  await environment[Symbol.asyncDispose]();
  expect(countProcesses(`sleep\0${seconds}`)).toBe(0);
  await expect(environment.exec(["true"])).rejects.toMatchObject({ code: "environment.closed" });
});

test.for(ENVIRONMENTS)(
  "in %s exit codes, signals, streams and start failures are reported as without it",
  async ([, open], { skip }) => {
    skip(UNREADY !== undefined, UNREADY);
    const { environment } = await open();
    expect(await environment.exec(["sh", "-c", "echo $0 out; echo err >&2; exit 7"])).toMatchObject({
      stdout: "sh out\n",
      stderr: "err\n",
      exitCode: 7,
    });
    expect(await environment.exec(["sh", "-c", "kill -SEGV $$"])).toMatchObject({
      exitCode: 139,
      signal: "SIGSEGV",
      stderr: "",
    });
    expect(await environment.exec(["cat"], { stdin: "given" })).toMatchObject({ stdout: "given", exitCode: 0 });
    expect(await environment.exec(["printf", "%s|", "a b", "$HOME", "", "-n", "'\"", "*"])).toMatchObject({
      stdout: "a b|$HOME||-n|'\"|*|",
    });
    expect((await environment.exec(["echo", "-n", "program"])).stdout).toBe("program");
    await environment.writeFile("no-program", "x");
    for (const [argv, code] of [
      [["no-such-program"], "environment.command_not_found"],
      [["./no-such-program"], "environment.command_not_found"],
      [["./no-program"], "environment.spawn_failed"],
      [[""], "environment.spawn_failed"],
      [["echo", "a\0b"], "environment.spawn_failed"],
      // A shell builtin must not be found as a program.
      [["exit", "3"], "environment.command_not_found"],
    ] as const)
      await expect(environment.exec(argv), argv.join(" ")).rejects.toMatchObject({ code });
    expect((await environment.shell("(sleep 0.05; echo late) & echo first")).stdout).toBe("first\nlate\n");
  },
);

test.for(ENVIRONMENTS)(
  "in %s a spawned process can be written to, read from and signalled while it runs",
  async ([, open], { skip }) => {
    skip(UNREADY !== undefined, UNREADY);
    const { environment } = await open();
    await using spawned = await environment.spawn(["cat"]);
    const [writer, reader] = [spawned.stdin.getWriter(), spawned.stdout.getReader()];
    for (const text of ["one", "two"]) {
      await writer.write(Buffer.from(text));
      expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(text);
    }
    await writer.close();
    expect(await spawned.exited).toEqual({ exitCode: 0 });
    await using hung = await environment.spawn([
      "sh",
      "-c",
      "trap 'exit 5' INT; echo up; while :; do sleep 0.02; done",
    ]);
    await hung.stdout.getReader().read();
    hung.kill("SIGINT");
    expect(await hung.exited).toEqual({ exitCode: 5 });
  },
);

test.for(ENVIRONMENTS)("in %s fifty concurrent commands each get their own output", async ([, open], { skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { environment } = await open();
  const runs = Array.from({ length: 50 }, (_, index) => environment.shell(`sleep 0.0${index % 10}; echo ${index}`));
  const outputs = (await Promise.all(runs)).map(({ stdout }) => stdout);
  expect(outputs).toEqual(Array.from({ length: 50 }, (_, index) => `${index}\n`));
  expect((await environment.listDirectory(".")).map(({ name }) => name)).toEqual([]);
});

test.for(ENVIRONMENTS)(
  "in %s commands see only the allowed variables, and no command line contains a secret",
  async ([, open], { skip }) => {
    skip(UNREADY !== undefined, UNREADY);
    const env = { PATH: process.env["PATH"], PLAIN: "plain", API_TOKEN: "hidden", HOME: "/nonexistent" };
    const { environment } = await open({ env });
    const { stdout } = await environment.shell("env; echo; cat /proc/1/cmdline", {
      env: { set: { EXTRA_PASSWORD: "given-secret" } },
    });
    const [variables = "", commandLine] = stdout.split("\n\n");
    expect(variables).toContain("PLAIN=plain");
    expect(variables).toContain("EXTRA_PASSWORD=given-secret");
    expect(variables).not.toContain("API_TOKEN");
    expect(commandLine).not.toContain("given-secret");
  },
);
